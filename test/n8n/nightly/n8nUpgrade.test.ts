import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { HOME } from '../../support/pages';
import { GET_INFO } from '../../support/parameters';
import { N8n } from '../support/n8n';
import { testedN8n, upgradeOf } from '../support/versions';
import { Watch } from '../support/watch';
import { callWebhook, webhook } from '../support/webhook';
import { chain, type Node, profilePage, reorderList } from '../support/workflows';

const [from, to] = upgradeOf(testedN8n);

type Item = Record<string, unknown>;

describe(`An upgrade of n8n from ${from.n8n} to ${to.n8n}`, () => {
	let n8n: N8n;
	let sandbox: Sandbox;
	let watch: Watch;
	const before = new Map<string, Item[]>();

	/** The workflows that change nothing, or the same again, by the path of their webhook. */
	const PATHS = ['info', 'reorder', 'request'];

	/** Publishes the workflow of a webhook. Returns its ID. */
	async function addWebhook(path: string, node: Node): Promise<string> {
		const workflow = await n8n.rest.createWorkflow(chain(path, webhook(path), node));
		await n8n.rest.activate(workflow);
		return workflow.id;
	}

	const call = async (path: string, body?: object) => JSON.parse(await callWebhook(n8n, path, body)) as Item[];

	beforeAll(async () => {
		sandbox = await startSandbox();
		n8n = await N8n.create({ name: 'n8n-upgrade', installation: from });
		await n8n.start();
		await n8n.rest.setUpOwner();
		const credential = await n8n.rest.addPrivateApp(sandbox);
		const order = sandbox.account.order(HOME).toReversed();
		const nodes: Record<string, Node> = {
			info: profilePage(credential, GET_INFO),
			reorder: profilePage(credential, reorderList(HOME, order)),
			request: profilePage(credential, {
				resource: 'api',
				operation: 'request',
				path: '/oauth/v1/group/list',
			}),
			create: profilePage(credential, {
				resource: 'links',
				operation: 'create',
				title: '={{ $json.body.title }}',
				url: 'https://example.com/new',
			}),
		};
		const ids: string[] = [];
		for (const [path, node] of Object.entries(nodes)) ids.push(await addWebhook(path, node));
		for (const path of PATHS) before.set(path, await call(path));
		watch = await Watch.create(n8n, 'Watch', credential);
		await watch.activate();
		await call('create', { title: 'before' });
		await watch.emits('before');

		await n8n.stop();
		sandbox.account.links.add({ title: 'during', link: 'https://example.com/during' });
		sandbox.recorder.reset();
		n8n.replaceBy(to);
		await n8n.start();
		await n8n.rest.signIn();
		for (const id of [...ids, watch.id]) await n8n.rest.published(id);
	}, 240_000);
	afterAll(async () => {
		await n8n.remove();
		await sandbox.close();
	});

	test.each(PATHS)('returns the same for the saved workflow "%s"', async (path) => {
		expect(await call(path)).toEqual(before.get(path));
	});

	test('keeps the trigger running, which reports each link once', async () => {
		await call('create', { title: 'after' });
		await watch.emits('after');
		expect((await watch.emitted()).flat()).toEqual(['before', 'during', 'after']);
		expect(await watch.errors()).toEqual([]);
	});

	test('keeps the stored token', () => {
		expect(sandbox.recorder.calls.length).toBeGreaterThan(PATHS.length);
		expect(sandbox.recorder.grants).toBe(0);
	});
});
