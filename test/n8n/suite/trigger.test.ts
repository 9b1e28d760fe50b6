/** The trigger under each of n8n's three ways of polling. test/integration plays many more courses of events. */
import { statusFault } from '../../../sandbox/faults';
import { useN8n } from '../support/harness';
import { until } from '../support/processes';
import { isN8n1 } from '../support/versions';
import { Watch } from '../support/watch';

/** Settings of n8n's scheduler. Its limit for a poll is short, so that a test need not wait for it. */
const SCHEDULER = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '2',
	N8N_SCHEDULER_POLL_TIMEOUT: '14',
};

const WAYS: Array<[name: string, env: NodeJS.ProcessEnv]> = [
	['timers', {}],
	['scheduler', SCHEDULER],
	['scheduler with durable cursors', { ...SCHEDULER, N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true' }],
];

/** The default since n8n 2. Without it, n8n 1 mixes transactions that run at the same time ("no such savepoint"). */
const SQLITE_POOL = { DB_SQLITE_POOL_SIZE: '3' };

const harness = useN8n({ name: 'n8n-trigger', env: SQLITE_POOL });

describe.each(isN8n1 ? WAYS.slice(0, 1) : WAYS)("polled by n8n's %s, the trigger", (_, env) => {
	const failure = { path: '/lnk/list', fault: statusFault(400) };
	let watch: Watch;
	beforeAll(async () => {
		await harness.n8n.stop();
		await harness.n8n.start(env);
		await harness.n8n.rest.signIn();
		watch = await Watch.publish(harness);
	});
	afterAll(async () => await harness.n8n.rest.deactivate(watch.id));

	test('reports each link once and in order, none that was there before, and none less after a poll has failed', async () => {
		await watch.polls(1);
		watch.addLink('a');
		watch.addLink('b');
		await watch.expectReported();
		expect(await watch.errors()).toEqual([]);
		harness.sandbox.faults.add({ ...failure, times: 1 });
		watch.addLink('during a failure');
		await watch.expectReported();
		expect(await watch.errors()).toEqual(['The links were not read: the service rejected the request (400)']);
	});

	test('goes on where it was when a new version is published, also if its first poll fails', async () => {
		harness.sandbox.faults.add(failure);
		watch.addLink('before a new version');
		await watch.polls(1);
		await watch.publishNewVersion();
		harness.sandbox.faults.clear();
		watch.addLink('after a new version');
		await watch.expectReported();
	});

	test('goes on where it was when n8n was killed, though the service is down when it starts', async () => {
		const failed = (await watch.errors()).length;
		// Polls that find nothing, of which n8n may store nothing.
		await watch.polls(2);
		await harness.n8n.kill();
		await harness.sandbox.suspend();
		watch.addLink('before a start');
		await harness.n8n.start(env);
		await harness.n8n.rest.signIn();
		await until('a poll has failed', async () => (await watch.errors()).length > failed);
		await harness.sandbox.resume();
		watch.addLink('after a start');
		await watch.expectReported();
	});

	test('reports no link from between unpublishing and publishing', async () => {
		await watch.unpublish();
		harness.sandbox.account.links.add({ title: 'between', link: 'https://example.com/between' });
		await watch.publishAgain();
		watch.addLink('after publishing');
		await watch.expectReported();
	});
});
