/** What n8n keeps in its database, for later executions and processes: tokens, and the links that were scheduled. */
import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { HOME } from '../../support/pages';
import { firstOutput, N8n } from '../support/n8n';
import { chain, manualTrigger, profilePage, reorderList } from '../support/workflows';

let n8n: N8n;
let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ links: [] });
	n8n = await N8n.create({ name: 'n8n-stored' });
});
afterAll(async () => {
	await n8n.remove();
	await sandbox.close();
});

test('a workflow that n8n executes from the command line stores its token for the next process, and renews it once it is revoked', async () => {
	const CREDENTIAL = { id: 'sandbox-credential', name: 'Sandbox' };
	const { account, baseUrl, clientId, clientSecret, oauth, recorder } = sandbox;
	const order = account.order(HOME).toReversed();
	const node = profilePage(CREDENTIAL, reorderList(HOME, order));
	await n8n.import('credentials', [
		{ ...CREDENTIAL, type: 'profilePageApi', data: { baseUrl, clientId, clientSecret } },
	]);
	await n8n.import('workflow', [{ ...chain('Stored', manualTrigger, node), id: 'stored' }]);

	/** Executes it in a process of its own, and returns how many tokens it requests, and how many calls it sends. */
	const execute = async () => {
		recorder.reset();
		const items = await n8n.execute('stored', node.name);
		expect(items.map(({ json }) => json)).toEqual(account.page(HOME)?.blocks);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map(() => ({ item: 0 })));
		return { grants: recorder.grants, calls: recorder.calls.length };
	};
	expect(await execute()).toEqual({ grants: 1, calls: 1 });
	expect(account.order(HOME)).toEqual(order);
	expect(await execute()).toEqual({ grants: 0, calls: 1 });
	oauth.revokeAccessTokens();
	// The rejected call, and its repetition with the new token.
	expect(await execute()).toEqual({ grants: 1, calls: 2 });
});

test('a scheduled link is created once, over a restart of n8n', async () => {
	await n8n.start();
	await n8n.rest.setUpOwner();
	const scheduleFrom = new Date(Date.now() + 24 * 3_600_000).toISOString();
	const link = { title: 'Scheduled', url: 'https://example.com/', additionalFields: { scheduleFrom } };
	const parameters = { resource: 'links', operation: 'create', ifExists: 'skip', ...link };
	const create = profilePage(await n8n.rest.addPrivateApp(sandbox), parameters);
	const { id } = await n8n.rest.createWorkflow(chain('Scheduled', manualTrigger, create));
	/** Executes the workflow, and returns what the node did. */
	const run = async () => {
		const { outputs } = await n8n.rest.execute(id, manualTrigger.name);
		return firstOutput(outputs, create.name).map(({ json }) => json.action);
	};
	expect([await run(), await run()]).toEqual([['created'], ['skipped']]);
	await n8n.stop();
	await n8n.start();
	await n8n.rest.signIn();
	expect(await run()).toEqual(['skipped']);
	expect(sandbox.account.links.all).toHaveLength(1);
});
