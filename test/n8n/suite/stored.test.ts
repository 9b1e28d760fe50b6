/** What n8n keeps in its database, for later executions and processes: tokens, and the links that were scheduled. */
import { setTimeout as wait } from 'node:timers/promises';

import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { HOME } from '../../support/pages';
import { firstOutput, N8n } from '../support/n8n';
import { until } from '../support/processes';
import { chain, manualTrigger, profilePage, reorderList, scheduleTrigger } from '../support/workflows';

const CREDENTIAL = { id: 'sandbox-credential', name: 'Sandbox' };

let n8n: N8n;
beforeAll(async () => (n8n = await N8n.create({ name: 'n8n-tokens' })));
afterAll(async () => await n8n.remove());

const reversedOrder = (sandbox: Sandbox): string[] => sandbox.account.order(HOME).toReversed();

describe('a workflow that n8n executes from the command line', () => {
	const ID = 'a-workflow';

	let sandbox: Sandbox;
	beforeAll(async () => (sandbox = await startSandbox()));
	afterAll(async () => await sandbox.close());
	beforeEach(() => {
		sandbox.recorder.requests.length = 0;
	});

	const received = () => ({
		grants: sandbox.recorder.grants,
		calls: sandbox.recorder.calls.length,
	});

	test('requests one token in its first process, and returns paired items', async () => {
		const order = reversedOrder(sandbox);
		const { baseUrl, clientId, clientSecret } = sandbox;
		const data = { baseUrl, clientId, clientSecret };
		const node = profilePage(CREDENTIAL, reorderList(HOME, order));
		await n8n.import('credentials', [{ ...CREDENTIAL, type: 'profilePageApi', data }]);
		await n8n.import('workflow', [{ ...chain('Cold', manualTrigger, node), id: ID }]);

		const items = await n8n.execute(ID, node.name);
		expect(items.map(({ json }) => json)).toEqual(sandbox.account.page(HOME)?.blocks);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map(() => ({ item: 0 })));
		expect(sandbox.account.order(HOME)).toEqual(order);
		expect(received()).toEqual({ grants: 1, calls: 1 });
	});

	test('uses the stored token in its second process', async () => {
		expect(await n8n.execute(ID, 'Profile Page')).toHaveLength(4);
		expect(received()).toEqual({ grants: 0, calls: 1 });
	});

	test('renews a revoked token without a failed execution', async () => {
		sandbox.oauth.revokeAccessTokens();
		expect(await n8n.execute(ID, 'Profile Page')).toHaveLength(4);
		// The rejected call and its repetition with the new token.
		expect(received()).toEqual({ grants: 1, calls: 2 });
	});
});

describe('a workflow with a schedule', () => {
	/** In seconds. */
	const TOKEN_LIFETIME = 8;
	const INTERVAL = 2;

	let sandbox: Sandbox;
	let workflowId: string;
	beforeAll(async () => {
		sandbox = await startSandbox({ tokenLifetime: TOKEN_LIFETIME });
		await n8n.start();
		await n8n.rest.setUpOwner();
	});
	afterAll(async () => await sandbox.close());

	test('requests one token per token lifetime, without a failed execution', async () => {
		const credential = await n8n.rest.addPrivateApp(sandbox);
		const node = profilePage(credential, reorderList(HOME, reversedOrder(sandbox)));
		const workflow = await n8n.rest.createWorkflow(chain('On a schedule', scheduleTrigger(INTERVAL), node));
		workflowId = workflow.id;
		await n8n.rest.activate(workflow);

		await until('the third token', () => sandbox.recorder.grants >= 3);
		// Stop well before the third token expires, between two executions.
		await wait((TOKEN_LIFETIME - 2.5 * INTERVAL) * 1000);
		await n8n.stop();
		expect(sandbox.recorder.grants).toBe(3);
		expect(sandbox.recorder.calls.length).toBeGreaterThan((2 * TOKEN_LIFETIME) / INTERVAL);
	});

	test('requests one token after a restart with an expired token, without a failed execution', async () => {
		await wait(TOKEN_LIFETIME * 1000);
		sandbox.recorder.requests.length = 0;
		await n8n.start();
		await n8n.rest.signIn();
		await until('three more calls', () => sandbox.recorder.calls.length >= 3);
		await n8n.rest.deactivate(workflowId);
		expect(sandbox.recorder.grants).toBe(1);
		const statuses = (await n8n.rest.executions(workflowId)).map(({ status }) => status);
		expect(new Set(statuses)).toEqual(new Set(['success']));
	});
});

test('a scheduled link is created once, over a restart of n8n and by a node that was renamed', async () => {
	const sandbox = await startSandbox({ links: [] });
	const credential = await n8n.rest.addPrivateApp(sandbox);
	const scheduleFrom = new Date(Date.now() + 24 * 3_600_000).toISOString();
	const link = { title: 'Scheduled', url: 'https://example.com/', additionalFields: { scheduleFrom } };
	const parameters = { resource: 'links', operation: 'create', ifExists: 'skip', ...link };
	const workflowOf = (name: string) =>
		chain('Scheduled', manualTrigger, profilePage(credential, parameters, { name, id: 'create' }));
	const { id } = await n8n.rest.createWorkflow(workflowOf('Create'));
	/** Executes the workflow, and returns what the node did. */
	const run = async (name: string) => {
		const { outputs } = await n8n.rest.execute(id, manualTrigger.name);
		return firstOutput(outputs, name).map(({ json }) => json.action);
	};
	expect([await run('Create'), await run('Create')]).toEqual([['created'], ['skipped']]);
	await n8n.stop();
	await n8n.start();
	await n8n.rest.signIn();
	expect(await run('Create')).toEqual(['skipped']);
	await n8n.rest.updateWorkflow({ id }, workflowOf('New Name'));
	expect(await run('New Name')).toEqual(['skipped']);
	expect(sandbox.account.links.all).toHaveLength(1);
	await sandbox.close();
});
