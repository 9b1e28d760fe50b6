import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { HOME } from '../../support/pages';
import { GET_INFO } from '../../support/parameters';
import type { N8n } from './n8n';
import type { Stored } from './rest';
import { Watch } from './watch';
import { publish, type Published } from './webhook';
import { type Node, profilePage, reorderList } from './workflows';

interface Upgrade {
	/** Creates an n8n, without starting it. */
	create: () => Promise<N8n>;
	/** Returns nodes that change nothing, beside the usual ones, by the path of their webhook. */
	addNodes?: (n8n: N8n, sandbox: Sandbox, credential: Stored) => Promise<Record<string, Node>>;
	/** Upgrades the n8n, which is stopped. */
	upgrade: (n8n: N8n) => void;
}

/** Defines the tests of what an upgrade keeps: saved workflows, a trigger, and stored tokens. */
export function testUpgrade({ create, addNodes, upgrade }: Upgrade): void {
	let n8n: N8n;
	let sandbox: Sandbox;
	let watch: Watch;
	let createLink: Published;
	const saved: Published[] = [];
	const before: unknown[] = [];

	const outputOf = async ({ run }: Published) => JSON.parse(await run()) as object;

	beforeAll(async () => {
		sandbox = await startSandbox();
		n8n = await create();
		await n8n.start();
		await n8n.rest.setUpOwner();
		const credential = await n8n.rest.addPrivateApp(sandbox);
		const nodes: Record<string, Node> = {
			info: profilePage(credential, GET_INFO),
			reorder: profilePage(credential, reorderList(HOME, sandbox.account.order(HOME).toReversed())),
			request: profilePage(credential, { resource: 'api', operation: 'request', path: '/oauth/v1/group/list' }),
			...(await addNodes?.(n8n, sandbox, credential)),
		};
		for (const [path, node] of Object.entries(nodes)) saved.push(await publish(n8n, path, [node]));
		for (const workflow of saved) before.push(await outputOf(workflow));
		const link = { title: '={{ $json.body.title }}', url: 'https://example.com/new' };
		createLink = await publish(n8n, 'create', [
			profilePage(credential, { resource: 'links', operation: 'create', ...link }),
		]);
		watch = await Watch.create(n8n, 'Watch', credential);
		await watch.activate();
		await createLink.run({ title: 'before' });
		await watch.emits('before');

		await n8n.stop();
		sandbox.account.links.add({ title: 'during', link: 'https://example.com/during' });
		sandbox.recorder.reset();
		upgrade(n8n);
		await n8n.start();
		await n8n.rest.signIn();
		for (const { id } of [...saved, createLink, watch]) await n8n.rest.published(id);
	}, 240_000);
	afterAll(async () => {
		await n8n.remove();
		await sandbox.close();
	});

	test('keeps what each saved workflow returns', async () => {
		const after = [];
		for (const workflow of saved) after.push(await outputOf(workflow));
		// A version may add fields.
		expect(after).toMatchObject(before);
	});

	test('keeps the trigger running, which reports each link once', async () => {
		await createLink.run({ title: 'after' });
		await watch.emits('after');
		expect((await watch.emitted()).flat()).toEqual(['before', 'during', 'after']);
		expect(await watch.errors()).toEqual([]);
	});

	test('keeps the stored tokens', () => {
		expect(sandbox.recorder.calls.length).toBeGreaterThan(saved.length);
		expect(sandbox.recorder.grants).toBe(0);
	});
}
