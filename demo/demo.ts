/**
 * Does two jobs of a user in n8n's engine against the sandbox: a block is moved by its name, and links are created from a
 * table. On the way, the service rejects the access token, and is busy once.
 */
import assert from 'node:assert/strict';

import type { INodeParameters } from 'n8n-workflow';

import { CredentialStore, loadPackage, runWorkflow, stopEngine } from '../runner';
import { titledBlocks } from '../sandbox/account';
import { statusFault } from '../sandbox/faults';
import { BLOCKS_PATH, PAGES_PATH } from '../sandbox/listsApi';
import { startSandbox } from '../sandbox/server';
import { bold, green, showForm, showRequest, showTable } from './terminal';

/** The table with the new links. The profile has the second one. */
const TABLE = [
	{ title: 'Video of the new single', url: 'https://example.com/video' },
	{ title: 'New album', url: 'https://example.com/album' },
	{ title: 'Tickets for Berlin', url: 'https://example.com/berlin' },
	{ title: 'Tickets for Vienna', url: 'https://example.com/vienna' },
	{ title: 'T-shirts', url: 'https://example.com/t-shirts' },
];

async function main(): Promise<void> {
	const sandbox = await startSandbox();
	const { baseUrl, clientId, clientSecret, account, faults, oauth, recorder } = sandbox;
	const loaded = await loadPackage();
	const store = new CredentialStore(loaded);
	const fields = { baseUrl, clientId, clientSecret, pagesPath: PAGES_PATH, blocksPath: BLOCKS_PATH };
	const credentials = { profilePageApi: store.add('profilePageApi', fields) };

	/** Runs the node for these items. Returns the fields of its output. */
	const run = async (parameters: INodeParameters, items: object[] = [{}]) => {
		const node = (name: string, type: string) => ({
			id: name,
			name,
			type,
			typeVersion: 1,
			position: [0, 0] as [number, number],
		});
		const nodes = [
			{ ...node('Start', 'n8n-nodes-base.manualTrigger'), parameters: {} },
			{ ...node('Node', 'n8n-nodes-profile-page.profilePage'), parameters, credentials },
		];
		const connections = { Start: { main: [[{ node: 'Node', type: 'main' as const, index: 0 }]] } };
		const input = items.map((json) => ({ json: { ...json } }));
		const { error, runData } = (await runWorkflow(loaded, store, { nodes, connections }, { input })).data.resultData;
		if (error) throw new Error(`${error.message} ${error.description ?? ''}`);
		return runData.Node?.[0]?.data?.main?.[0]?.map(({ json }) => json) ?? [];
	};

	try {
		console.log(`The node runs in n8n's engine, against a service on this machine: ${baseUrl}`);

		console.log(bold('\n1. Move Blocks: "Tour dates" to the top of the page "Home"\n'));
		const { id = '' } = account.pages[0] ?? {};
		const titles = () => titledBlocks(account.existingPage(id)).map(({ title }) => title);
		const before = titles();
		const pageId = { __rl: true, mode: 'name', value: 'Home' };
		await run({ resource: 'blocks', operation: 'move', pageId, blocksToMove: ['Tour dates'] });
		assert.equal(titles()[0], 'Tour dates');
		console.log(showTable([['Before', 'After'], ...titles().map((title, index) => [before[index], title])]));
		console.log(`\n${recorder.requests.map(showRequest).join('\n')}`);

		console.log(bold('\n2. Create, Skip if the link exists: five links from a table\n'));
		recorder.reset();
		oauth.revokeAccessTokens();
		faults.add({ path: '/lnk/list', times: 1, fault: statusFault(503) });
		const link = { title: '={{ $json.title }}', url: '={{ $json.url }}', ifExists: 'skip' };
		const results = await run({ resource: 'links', operation: 'create', ...link }, TABLE);
		const sentFor = (title: string) => recorder.forms.find((form) => form.title === title);
		const rows = TABLE.map(({ title }, index) => [title, results[index]?.action, showForm(sentFor(title))]);
		assert.equal(account.links.list().length, 7);
		console.log(showTable([['Title', 'Result', 'Sent to /oauth/v1/lnk/add'], ...rows]));

		const failures = recorder.calls.flatMap(({ status = 0 }) => (status >= 400 ? [status] : []));
		assert.deepEqual(failures, [503, 401]);
		console.log(green('\nOn the way, the service was busy (503), and no longer accepted the access token (401):'));
		console.log(green('the node waited, got another token, and created each link once.'));
	} finally {
		await sandbox.close();
		stopEngine();
	}
}

main().catch((error: unknown) => {
	console.error(`The demo failed: ${error instanceof Error ? error.message : String(error)}`);
	process.exitCode = 1;
});
