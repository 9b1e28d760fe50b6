/**
 * Runs an example workflow in n8n's engine against the sandbox: once as it is, once with a token that is no longer
 * accepted, and once while the service fails. Shows what the node sent, and the page before and after.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { CredentialStore, loadPackage, runWorkflow, stopEngine, useCredential, type WorkflowFile } from '../runner';
import { titledBlocks } from '../sandbox/account';
import { startSandbox } from '../sandbox/server';
import { compareOrders, heading, listRequests, verdict } from './terminal';

const EXAMPLE = 'examples/reorder-blocks.json';

const readExample = () => JSON.parse(readFileSync(path.resolve(__dirname, '..', EXAMPLE), 'utf8')) as WorkflowFile;

async function main(): Promise<void> {
	const sandbox = await startSandbox();
	const { baseUrl, clientId, clientSecret, account, faults, oauth, recorder } = sandbox;
	const loaded = await loadPackage();
	const store = new CredentialStore(loaded);
	const credential = store.add('profilePageApi', { baseUrl, clientId, clientSecret });
	const example = useCredential(readExample(), 'profilePageApi', credential);
	const parameters = example.nodes.find(({ name }) => name === 'Reorder Blocks')?.parameters;
	const { pageId, blockIds } = parameters as { pageId: { value: string }; blockIds: string[] };

	const titles = () => titledBlocks(account.existingPage(pageId.value)).map(({ title }) => title);

	/** Runs the workflow, and shows its requests. Throws if the page does not have the order of the workflow. */
	const run = async (title: string) => {
		console.log(heading(title));
		const sent = recorder.requests.length;
		const { data } = await runWorkflow(loaded, store, example);
		console.log(listRequests(recorder.requests.slice(sent)));
		if (data.resultData.error) throw data.resultData.error;
		if (account.order(pageId.value).join() !== blockIds.join()) {
			throw new Error(`The page ${pageId.value} does not have the order of the workflow.`);
		}
	};

	try {
		console.log(`n8n's engine runs ${EXAMPLE} against a local service at ${baseUrl}.`);
		const before = titles();
		await run('1. A page gets a new order');
		console.log(compareOrders(before, titles()));

		oauth.revokeAccessTokens();
		await run('2. The service no longer accepts the access token, and the node gets another one');

		faults.add({ path: '/sort', times: 1, fault: { status: 503 } });
		await run('3. The service fails once, and the request is retried');

		const { grants, calls } = recorder;
		console.log(verdict(`All three runs succeeded, with ${grants} token requests and ${calls.length} API requests.`));
	} finally {
		await sandbox.close();
		stopEngine();
	}
}

main().catch((error: unknown) => {
	console.error(`The demo failed: ${error instanceof Error ? error.message : String(error)}`);
	process.exitCode = 1;
});
