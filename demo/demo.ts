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

/** Runs an example workflow against the sandbox, and shows what it did to the page there. */
async function main(): Promise<boolean> {
	const sandbox = await startSandbox();
	try {
		return await reorderPage(sandbox, readExample());
	} finally {
		await sandbox.close();
		stopEngine();
	}
}

function readExample(): WorkflowFile {
	const file = path.resolve(__dirname, '..', 'examples', EXAMPLE);
	return JSON.parse(readFileSync(file, 'utf8')) as WorkflowFile;
}

async function reorderPage(sandbox: Sandbox, example: WorkflowFile): Promise<boolean> {
	const { pageId, blockIds } = example.nodes.find(({ name }) => name === 'Reorder Blocks')
		?.parameters as { pageId: string; blockIds: string[] };
	console.log(`The sandbox runs on ${sandbox.baseUrl}\n`);
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
	if (run.data.resultData.error)
		console.log(`The workflow failed: ${run.data.resultData.error.message}\n`);

	console.log(`${pageId} after:\n${listBlocks(sandbox, pageId)}\n`);
	const { grants, calls } = sandbox.recorder;
	console.log(`The service saw ${grants} token grant(s) and ${calls.length} call(s).`);
	return sandbox.account.order(pageId).join() === blockIds.join();
}

function listBlocks(sandbox: Sandbox, pageId: string): string {
	const blocks = sandbox.account.page(pageId)?.blocks ?? [];
	return blocks.map(({ position, id, type }) => `  ${position}  ${id}  ${type}`).join('\n');
}

main()
	.then((isReordered) => {
		console.log(
			isReordered ? 'The page is in its new order.' : 'The page is NOT in its new order.',
		);
		process.exitCode = isReordered ? 0 : 1;
	})
	.catch((error: unknown) => {
		console.error(error);
		process.exitCode = 1;
	});
