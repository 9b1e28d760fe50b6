/**
 * Opens a real n8n to try the package: with the sandbox, a credential for each kind of app and the
 * example workflows. Runs until Ctrl+C.
 */
import { once } from 'node:events';

import { useCredential } from '../../runner/useCredential';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { useClientToken } from './support/mcp';
import { N8n } from './support/n8n';
import { packPackage } from './support/packageUnderTest';
import { isFree } from './support/ports';
import { owner, type Stored } from './support/rest';
import { exampleFiles, readExample } from './support/workflows';

const N8N_PORT = 5678;
const SANDBOX_PORT = 4747;

/** The bearer token for the example for AI agents. */
const CLIENT_TOKEN = 'sandbox-client-token';

async function main(): Promise<void> {
	for (const port of [N8N_PORT, SANDBOX_PORT]) {
		if (!(await isFree(port)))
			throw new Error(`Port ${port} is in use. Stop the program that listens on it.`);
	}
	packPackage();
	const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
	const sandbox = await startSandbox({ port: SANDBOX_PORT });
	const n8n = await N8n.create({ name: 'n8n', port: N8N_PORT });
	try {
		console.log('Starting n8n …');
		await n8n.start();
		await n8n.rest.setUpOwner();
		await n8n.rest.addPublicApp(sandbox);
		const credential = await n8n.rest.addPrivateApp(sandbox);
		await addExamples(n8n, credential);
		console.log(describe(n8n, sandbox));
		await stopped;
		console.log('Stopping …');
	} finally {
		await n8n.remove();
		await sandbox.close();
	}
}

async function addExamples({ rest }: N8n, credential: Stored): Promise<void> {
	const token = await rest.addClientToken(CLIENT_TOKEN);
	for (const file of exampleFiles) {
		const example = useCredential(readExample(file), 'profilePageApi', credential);
		await rest.createWorkflow(useClientToken(example, token));
	}
}

function describe(n8n: N8n, { baseUrl, owner: account }: Sandbox): string {
	return [
		'',
		`n8n      ${n8n.baseUrl}    sign in as ${owner.email} with ${owner.password}`,
		`Sandbox  ${baseUrl}    watch its pages change`,
		'',
		'The example workflows are ready to execute. To use the one for AI agents, publish it and connect an',
		`AI application with the bearer token ${CLIENT_TOKEN}.`,
		'',
		'To try a public app, open the credential "Sandbox (public app)", connect it, and',
		`sign in as ${account.userName} with ${account.password}.`,
		'',
		'Press Ctrl+C to stop both. This n8n and its data are then deleted.',
	].join('\n');
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
