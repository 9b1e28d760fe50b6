/**
 * Runs an example workflow in n8n's engine against the sandbox: once as it is, once with an expired
 * token, and once while the service fails. Shows what the node sent, and the page before and after.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { CredentialStore, loadPackage, runWorkflow, stopEngine, useCredential, type WorkflowFile } from '../runner';
import { titledBlocks } from '../sandbox/account';
import { startSandbox } from '../sandbox/server';
import { compareOrders, countOf, heading, listRequests, verdict } from './terminal';

const EXAMPLE = 'examples/reorder-blocks.json';

/** In seconds. */
const TOKEN_LIFETIME = 2;

async function main(): Promise<void> {
	const sandbox = await startSandbox({ tokenLifetime: TOKEN_LIFETIME });
	const { baseUrl, clientId, clientSecret, account, faults, recorder } = sandbox;
	const loaded = await loadPackage();
	const store = new CredentialStore(loaded);
	const credential = store.add('profilePageApi', { baseUrl, clientId, clientSecret });
	const example = useCredential(readExample(), 'profilePageApi', credential);
	const { pageId: chosen, blockIds } = example.nodes.find(({ name }) => name === 'Reorder Blocks')?.parameters as {
		pageId: { value: string };
		blockIds: string[];
	};
	const pageId = chosen.value;

	const titles = () => titledBlocks(account.existingPage(pageId)).map(({ title }) => title);

	/** Runs the workflow, and shows its requests. Throws if the page does not have the order of the workflow. */
	const run = async () => {
		const sent = recorder.requests.length;
		const { data } = await runWorkflow(loaded, store, example);
		console.log(listRequests(recorder.requests.slice(sent)));
		if (data.resultData.error) throw data.resultData.error;
		if (account.order(pageId).join() !== blockIds.join()) {
			throw new Error(`The page ${pageId} does not have the order of the workflow.`);
		}
	};

	try {
		console.log(`n8n's engine runs ${EXAMPLE} against a local service at ${baseUrl}.`);

		console.log(heading('1. A page gets a new order'));
		const before = titles();
		await run();
		console.log(compareOrders(before, titles()));

		console.log(heading(`2. The access token expires after ${TOKEN_LIFETIME} s, and is renewed`));
		await wait(TOKEN_LIFETIME * 1000);
		await run();

		console.log(heading('3. The service fails once, and the request is retried'));
		faults.add({ path: '/sort', times: 1, fault: { status: 503 } });
		await run();

		const runs = 'All three runs succeeded';
		const grants = countOf(recorder.grants, 'token request');
		const calls = countOf(recorder.calls.length, 'API request');
		console.log(verdict(`${runs}, with ${grants} and ${calls}.`));
	} finally {
		await sandbox.close();
		stopEngine();
	}
}

function readExample(): WorkflowFile {
	const file = path.resolve(__dirname, '..', EXAMPLE);
	return JSON.parse(readFileSync(file, 'utf8')) as WorkflowFile;
}

main().catch((error: unknown) => {
	console.error(`The demo failed: ${error instanceof Error ? error.message : String(error)}`);
	process.exitCode = 1;
});
