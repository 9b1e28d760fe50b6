import { readFileSync } from 'node:fs';
import path from 'node:path';

import {
	CredentialStore,
	loadPackage,
	runWorkflow,
	stopEngine,
	useCredential,
	type WorkflowFile,
} from '../runner';
import { type Sandbox, startSandbox } from '../sandbox/server';

const EXAMPLE = 'reorder-blocks.json';

/** Runs an example workflow against the sandbox and prints the page before and after. */
async function main(): Promise<void> {
	const sandbox = await startSandbox();
	try {
		const isReordered = await reorderPage(sandbox);
		console.log(
			isReordered ? 'The page is in the new order.' : 'The page is NOT in the new order.',
		);
		if (!isReordered) process.exitCode = 1;
	} finally {
		await sandbox.close();
		stopEngine();
	}
}

/** Returns whether the page has the order of the workflow afterwards. */
async function reorderPage(sandbox: Sandbox): Promise<boolean> {
	const file = path.resolve(__dirname, '..', 'examples', EXAMPLE);
	const example = JSON.parse(readFileSync(file, 'utf8')) as WorkflowFile;
	const { pageId, blockIds } = example.nodes.find(({ name }) => name === 'Reorder Blocks')
		?.parameters as { pageId: string; blockIds: string[] };
	console.log(`The sandbox is running at ${sandbox.baseUrl}\n`);
	console.log(`${pageId} before:\n${listBlocks(sandbox, pageId)}\n`);

	const loaded = await loadPackage();
	const store = new CredentialStore(loaded);
	const { baseUrl, clientId, clientSecret } = sandbox;
	const credential = store.add('profilePageApi', { baseUrl, clientId, clientSecret });
	console.log(`Running examples/${EXAMPLE} in n8n's engine …\n`);
	const run = await runWorkflow(
		loaded,
		store,
		useCredential(example, 'profilePageApi', credential),
	);
	const { error } = run.data.resultData;
	if (error) console.log(`The workflow failed: ${error.message}\n`);

	console.log(`${pageId} after:\n${listBlocks(sandbox, pageId)}\n`);
	const { grants, calls } = sandbox.recorder;
	console.log(`The service received ${grants} token request(s) and ${calls.length} API call(s).`);
	return sandbox.account.order(pageId).join() === blockIds.join();
}

function listBlocks(sandbox: Sandbox, pageId: string): string {
	const blocks = sandbox.account.page(pageId)?.blocks ?? [];
	return blocks.map(({ position, id, type }) => `  ${position}  ${id}  ${type}`).join('\n');
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
