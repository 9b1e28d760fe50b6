/** What n8n keeps for later executions, processes, and tries: tokens, scheduled links, and what a try has done. */
import { statusFault } from '../../../sandbox/faults';
import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { HOME } from '../../support/pages';
import { testSinceN8n2 } from '../support/harness';
import { firstOutput, N8n } from '../support/n8n';
import { chain, manualTrigger, type Node, profilePage, reorderList, splitOut } from '../support/workflows';

/** n8n loads the package from its folder all the same (docs/installation.md). */
const RESTRICTED = { N8N_COMMUNITY_PACKAGES_ENABLED: 'false', N8N_UNVERIFIED_PACKAGES_ENABLED: 'false' };

let n8n: N8n;
let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ links: [] });
	n8n = await N8n.create({ name: 'n8n-stored', env: RESTRICTED });
});
afterAll(async () => {
	await n8n.remove();
	await sandbox.close();
});

describe('a workflow that n8n executes from the command line', () => {
	const CREDENTIAL = { id: 'sandbox-credential', name: 'Sandbox' };
	let node: Node;
	let order: string[];
	beforeAll(async () => {
		const { account, baseUrl, clientId, clientSecret } = sandbox;
		order = account.order(HOME).toReversed();
		node = profilePage(CREDENTIAL, reorderList(HOME, order), { onError: 'continueRegularOutput' });
		const data = { baseUrl, clientId, clientSecret };
		await n8n.import('credentials', [{ ...CREDENTIAL, type: 'profilePageApi', data }]);
		await n8n.import('workflow', [{ ...chain('Stored', manualTrigger, node), id: 'stored' }]);
	});

	test('stores its token for the next process, and renews it once it is revoked', async () => {
		const { account, oauth, recorder } = sandbox;
		/** Executes it in a process of its own, and returns how many tokens it requests, and how many calls it sends. */
		const execute = async () => {
			recorder.reset();
			const items = await n8n.execute('stored', node.name);
			expect(items).toMatchObject(account.page(HOME)!.blocks.map((json) => ({ json, pairedItem: { item: 0 } })));
			return { grants: recorder.grants, calls: recorder.calls.length };
		};
		expect(await execute()).toEqual({ grants: 1, calls: 1 });
		expect(account.order(HOME)).toEqual(order);
		expect(await execute()).toEqual({ grants: 0, calls: 1 });
		oauth.revokeAccessTokens();
		// The rejected call, and its repetition with the new token.
		expect(await execute()).toEqual({ grants: 1, calls: 2 });
	});

	testSinceN8n2('reaches no service on this machine with SSRF protection, unless n8n allows it', async () => {
		const execute = async (env: NodeJS.ProcessEnv) =>
			await n8n.execute('stored', node.name, { N8N_SSRF_PROTECTION_ENABLED: 'true', ...env });
		expect(await execute({})).toMatchObject([{ json: { error: expect.any(String) as string } }]);
		const allowed = await execute({ N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.0/8,::1/128' });
		expect(allowed.map(({ json }) => json.id)).toEqual(order);
	});
});

describe('a link', () => {
	const titles = () => sandbox.account.links.all.map(({ title }) => title).reverse();

	/** Adds a workflow that creates a link for each title. Returns a function that executes it, and returns what became of each. */
	async function addWorkflow(wanted: string[], parameters: object, settings: object = {}) {
		const create = { resource: 'links', operation: 'create', title: '={{ $json.title }}', url: 'https://example.com/' };
		const credential = await n8n.rest.addPrivateApp(sandbox);
		const node = profilePage(credential, { ...create, ...parameters }, settings);
		const pinData = { [manualTrigger.name]: [{ json: { list: wanted.map((title) => ({ title })) } }] };
		const workflow = { ...chain('Links', manualTrigger, splitOut('list'), node), pinData };
		const { id } = await n8n.rest.createWorkflow(workflow);
		return async () => {
			sandbox.recorder.reset();
			const { error, outputs } = await n8n.rest.execute(id, manualTrigger.name);
			return error ?? firstOutput(outputs, node.name).map(({ json }) => json.action);
		};
	}

	beforeAll(async () => {
		await n8n.start();
		await n8n.rest.setUpOwner();
	});

	test('that is scheduled is created once, over a restart of n8n', async () => {
		const scheduleFrom = new Date(Date.now() + 24 * 3_600_000).toISOString();
		const run = await addWorkflow(['Scheduled'], { ifExists: 'skip', additionalFields: { scheduleFrom } });
		expect([await run(), await run()]).toEqual([['created'], ['skipped']]);
		await n8n.stop();
		await n8n.start();
		await n8n.rest.signIn();
		expect(await run()).toEqual(['skipped']);
		expect(titles()).toEqual(['Scheduled']);
	});

	test('that a try of Retry On Fail has created, or may have, is not sent by the next one', async () => {
		const before = titles();
		for (const fault of [undefined, statusFault(400), undefined, 'lost'] as const) {
			sandbox.faults.add({ path: '/add', fault, times: 1 });
		}
		const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };
		const run = await addWorkflow(['a', 'b', 'c', 'd'], { ifExists: 'create' }, retry);
		expect(await run()).toContain('It is unknown whether the link "c" was created');
		expect(sandbox.recorder.forms.map(({ title }) => title)).toEqual(['a', 'b', 'b', 'c']);
		expect(titles()).toEqual([...before, 'a', 'b', 'c']);
	});
});
