import { setTimeout as wait } from 'node:timers/promises';

import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { N8n } from '../support/n8n';
import { until } from '../support/processes';
import {
	chain,
	manualTrigger,
	profilePage,
	reorderList,
	scheduleTrigger,
} from '../support/workflows';

const HOME = 'PAGE_home_65f1c0a2b3d4e';
const CREDENTIAL = { id: 'sandbox-credential', name: 'Sandbox' };

let n8n: N8n;
beforeAll(async () => (n8n = await N8n.create({ name: 'n8n-tokens' })));
afterAll(async () => await n8n.remove());

const turnedRound = (sandbox: Sandbox): string[] => sandbox.account.order(HOME).toReversed();

describe('from the command line, each run in a process of its own', () => {
	const ID = 'a-workflow';

	let sandbox: Sandbox;
	beforeAll(async () => (sandbox = await startSandbox()));
	afterAll(async () => await sandbox.close());
	beforeEach(() => {
		sandbox.recorder.requests.length = 0;
	});

	const seen = () => ({ grants: sandbox.recorder.grants, calls: sandbox.recorder.calls.length });

	test('the first run: one grant, one call, and the blocks come out, paired', async () => {
		const order = turnedRound(sandbox);
		const { baseUrl, clientId, clientSecret } = sandbox;
		const data = { baseUrl, clientId, clientSecret };
		const node = profilePage(CREDENTIAL, reorderList(HOME, order));
		await n8n.import('credentials', [{ ...CREDENTIAL, type: 'profilePageApi', data }]);
		await n8n.import('workflow', [{ ...chain('Cold', manualTrigger, node), id: ID }]);

		const items = await n8n.execute(ID, node.name);
		expect(items.map(({ json }) => json)).toEqual(sandbox.account.page(HOME)?.blocks);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map(() => ({ item: 0 })));
		expect(sandbox.account.order(HOME)).toEqual(order);
		expect(seen()).toEqual({ grants: 1, calls: 1 });
	});

	test('the second run uses the token that the first one stored', async () => {
		expect(await n8n.execute(ID, 'Profile Page')).toHaveLength(4);
		expect(seen()).toEqual({ grants: 0, calls: 1 });
	});

	test('when the service no longer takes the token: one new grant, and no failed run', async () => {
		sandbox.oauth.revokeAll();
		expect(await n8n.execute(ID, 'Profile Page')).toHaveLength(4);
		// The refused call, and the same once more with the new token.
		expect(seen()).toEqual({ grants: 1, calls: 2 });
	});
});

describe('on a schedule, which nobody watches', () => {
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

	async function statuses(): Promise<string[]> {
		return (await n8n.rest.executions(workflowId)).map(({ status }) => status);
	}

	test('no run fails over three lifetimes of the token, and each lifetime costs one grant', async () => {
		const credential = await n8n.rest.addPrivateApp(sandbox);
		const node = profilePage(credential, reorderList(HOME, turnedRound(sandbox)));
		const workflow = await n8n.rest.createWorkflow(
			chain('On a schedule', scheduleTrigger(INTERVAL), node),
		);
		workflowId = workflow.id;
		await n8n.rest.activate(workflow);

		await until('the third token', () => sandbox.recorder.grants >= 3, 60);
		// Until shortly before the third token ends, in the midst of two runs.
		await wait((TOKEN_LIFETIME - 1.5 * INTERVAL) * 1000);
		await n8n.stop();
		expect(sandbox.recorder.grants).toBe(3);
		expect(sandbox.recorder.calls.length).toBeGreaterThan((2 * TOKEN_LIFETIME) / INTERVAL);
	});

	test('after a restart with an expired token: one new grant, and no failed run', async () => {
		await wait(TOKEN_LIFETIME * 1000);
		sandbox.recorder.requests.length = 0;
		await n8n.start();
		await n8n.rest.signIn();
		await until('two more runs', () => sandbox.recorder.calls.length >= 3);
		await n8n.rest.deactivate(workflowId);
		expect(sandbox.recorder.grants).toBe(1);
		expect(new Set(await statuses())).toEqual(new Set(['success']));
	});
});
