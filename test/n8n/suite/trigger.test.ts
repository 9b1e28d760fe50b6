import { setTimeout as wait } from 'node:timers/promises';

import { statusFault } from '../../../sandbox/faults';
import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { useEditor } from '../support/harness';
import type { N8n } from '../support/n8n';
import { until } from '../support/processes';
import type { Stored } from '../support/rest';
import { Watch } from '../support/watch';

const EVENTS = 2;

const harness = useEditor('n8n-trigger');
let n8n: N8n;
let sandbox: Sandbox;
let credential: Stored;
beforeAll(async () => {
	({ n8n, sandbox } = harness);
	credential = await n8n.rest.addPrivateApp(sandbox);
});
beforeEach(() => sandbox.faults.clear());

/** Adds a link to the profile, and returns its title. */
function publish(title: string, { account } = sandbox): string {
	account.links.add({ title, link: `https://example.com/${title}` });
	return title;
}

/** Waits until the service has been polled some times. */
async function polls(count: number, { recorder } = sandbox): Promise<void> {
	const isPoll = ({ url }: { url: string }) => url.startsWith('/oauth/v1/lnk/list');
	const requests = () => recorder.requests.filter(isPoll).length;
	const before = requests();
	await until(`${count} polls`, () => requests() >= before + count, 60);
	// n8n stores what came of the last one.
	await wait(500);
}

/** Activates a new workflow. */
async function activeWatch(name: string, app = credential, filters = {}): Promise<Watch> {
	const watch = await Watch.create(n8n, name, app, { filters });
	await watch.activate();
	return watch;
}

describe('In the editor, the trigger', () => {
	test('is listed in the node panel, with its event', async () => {
		const { editor } = harness;
		await editor.openNewWorkflow();
		const found = await editor.findNode('Profile Page', 'Profile Page');
		await found.click();
		const creator = editor.byTestId('node-creator');
		await creator.getByText('New Link').first().waitFor();
		expect(await creator.innerText()).not.toContain('No Profile Page Triggers available');
	});

	test('returns the newest link for Fetch Test Event', async () => {
		const { editor } = harness;
		const watch = await Watch.create(n8n, 'Tested in the editor', credential);
		publish('newest');
		await editor.openWorkflow(watch.id);
		await editor.openNode('Profile Page Trigger');
		await editor.executeStep();
		const rows = await editor.outputRows();
		expect(rows).toHaveLength(1);
		expect(rows[0]).toContain('newest');
	});

	test('says that there is no public link to show', async () => {
		const { editor } = harness;
		const empty = await startSandbox({ links: [] });
		const app = await n8n.rest.addPrivateApp(empty);
		const watch = await Watch.create(n8n, 'Nothing to show', app);
		await editor.openWorkflow(watch.id);
		await editor.openNode('Profile Page Trigger');
		await editor.executeStep();
		expect((await editor.error()).message).toBe('There is no public link to show');
		await empty.close();
	});
});

describe('An active trigger', () => {
	let watch: Watch;
	beforeEach(async () => (watch = await activeWatch('Watch')));
	afterEach(async () => await watch.deactivate());

	test('starts one execution with the links of each poll, the oldest first, and none for earlier links', async () => {
		await polls(2);
		publish('a');
		publish('b');
		await watch.emits('b');
		await polls(2);
		publish('c');
		await watch.emits('c');
		await polls(2);
		expect((await watch.emitted()).flat()).toEqual(['a', 'b', 'c']);
		expect(await watch.errors()).toEqual([]);
	});

	test('adds a failed execution for each poll that fails, and loses no link', async () => {
		publish('before');
		await watch.emits('before');
		sandbox.faults.add({ path: '/lnk/list', fault: statusFault(400), times: 2 });
		publish('meanwhile');
		await watch.emits('meanwhile');
		await polls(2);
		const message = 'The links were not read: the service rejected the request (400)';
		expect(await watch.errors()).toEqual([message, message]);
		expect(await watch.emitted()).toEqual([['before'], ['meanwhile']]);
	});

	test('starts afresh when it is deactivated and activated again', async () => {
		publish('before');
		await watch.emits('before');
		await watch.deactivate();
		publish('meanwhile');
		await watch.activate();
		publish('after');
		await watch.emits('after');
		await polls(2);
		expect(await watch.emitted()).toEqual([['before'], ['after']]);
	});

	test('continues where it was when a new version is published', async () => {
		publish('before');
		await watch.emits('before');
		sandbox.faults.add({ path: '/lnk/list', fault: statusFault(400) });
		publish('meanwhile');
		await polls(1);
		sandbox.faults.clear();
		await watch.publishNewVersion({ interval: 5 });
		publish('after');
		await watch.emits('after');
		await polls(2);
		expect((await watch.emitted()).flat()).toEqual(['before', 'meanwhile', 'after']);
	});
});

test('the trigger requests one token for each lifetime', async () => {
	const LIFETIME = 12;
	const short = await startSandbox({ tokenLifetime: LIFETIME });
	const app = await n8n.rest.addPrivateApp(short);
	const startedAt = Date.now();
	const watch = await activeWatch('Short tokens', app);
	for (const title of ['a', 'b', 'c']) {
		publish(title, short);
		await watch.emits(title);
		await polls(4, short);
	}
	await watch.deactivate();
	const lifetimes = Math.ceil((Date.now() - startedAt) / 1000 / LIFETIME);
	expect(await watch.emitted()).toEqual([['a'], ['b'], ['c']]);
	expect(await watch.errors()).toEqual([]);
	expect(short.recorder.grants).toBeGreaterThan(1);
	expect(short.recorder.grants).toBeLessThanOrEqual(lifetimes + 1);
	await short.close();
});

describe('A restart of n8n', () => {
	let watch: Watch;
	let filtered: Watch;
	beforeAll(async () => {
		watch = await activeWatch('Restarted');
		filtered = await activeWatch('Restarted, with a group', credential, {
			groupId: String(EVENTS),
		});
	});
	afterAll(async () => {
		await watch.deactivate();
		await filtered.deactivate();
	});

	const END = {
		SIGTERM: async () => await n8n.stop(),
		SIGKILL: async () => await n8n.kill(),
	};

	async function start(): Promise<void> {
		await n8n.start();
		await n8n.rest.signIn();
	}

	test.each(['SIGTERM', 'SIGKILL'] as const)(
		'by %s loses no link and repeats none',
		async (signal) => {
			const before = (await watch.emitted()).flat();
			const inGroup = (await filtered.emitted()).flat();
			const first = publish(`before ${signal}`);
			await watch.emits(first);
			// Polls that find nothing, of which n8n stores nothing.
			await polls(4);
			await END[signal]();
			const second = publish(`during ${signal}`);
			const member = `in the group during ${signal}`;
			sandbox.account.links.add({ title: member, link: 'https://example.com/', group_id: EVENTS });
			await start();
			const third = publish(`after ${signal}`);
			await watch.emits(third);
			await filtered.emits(member);
			await polls(4);
			expect((await watch.emitted()).flat()).toEqual([...before, first, second, member, third]);
			expect((await filtered.emitted()).flat()).toEqual([...inGroup, member]);
		},
	);

	test('while the service is down does not end the polling', async () => {
		const before = (await watch.emitted()).flat();
		const failed = (await watch.errors()).length;
		await n8n.stop();
		await sandbox.suspend();
		publish('while the service is down');
		await start();
		const areThree = async () => (await watch.errors()).length >= failed + 3;
		await until('three failed executions', areThree, 60);
		await sandbox.resume();
		await watch.emits('while the service is down');
		await polls(4);
		expect((await watch.emitted()).flat()).toEqual([...before, 'while the service is down']);
		const messages = (await watch.errors()).slice(failed);
		const refused = 'The links were not read: the service refused the connection';
		expect(new Set(messages)).toEqual(new Set([expect.stringContaining(refused)]));
	});
});
