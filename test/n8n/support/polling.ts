import { statusFault } from '../../../sandbox/faults';
import { type Harness, useN8n } from './harness';
import type { N8nOptions } from './n8n';
import { until } from './processes';
import { Watch } from './watch';

/** Settings of n8n's scheduler. Its limit for a poll is short, so that a test need not wait for it. */
export const SCHEDULER = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '2',
	N8N_SCHEDULER_POLL_TIMEOUT: '14',
};

/** The default since n8n 2. Without it, n8n 1 mixes transactions that run at the same time ("no such savepoint"). */
const SQLITE_POOL = { DB_SQLITE_POOL_SIZE: '3' };

/** Defines the tests of a trigger in a real n8n with these settings, each of which goes on where the one before ended. */
export function testPolling({ env, ...options }: N8nOptions) {
	const harness = useN8n({ ...options, env: { ...SQLITE_POOL, ...env } }) as Harness & { watch: Watch };
	let watch: Watch;
	beforeAll(async () => {
		watch = await Watch.publish(harness.n8n, harness.sandbox);
		harness.watch = watch;
	});

	test('the trigger reports each link once and in order, and none that was there when it was published', async () => {
		await watch.polls(2);
		watch.addLink('a');
		watch.addLink('b');
		await watch.expectReported();
		expect(await watch.errors()).toEqual([]);
	});

	test('a poll that fails adds a failed execution, and loses no link', async () => {
		watch.failPolls({ fault: statusFault(400), times: 1 });
		watch.addLink('during a failure');
		await watch.expectReported();
		expect(await watch.errors()).toEqual(['The links were not read: the service rejected the request (400)']);
	});

	test('the trigger continues where it was when a new version is published, also if its first poll fails', async () => {
		watch.failPolls({ fault: statusFault(400) });
		watch.addLink('before a new version');
		await watch.polls(1);
		await watch.publishNewVersion();
		harness.sandbox.faults.clear();
		watch.addLink('after a new version');
		await watch.expectReported();
	});

	test.each(['stop', 'kill'] as const)(
		'a restart of n8n (%s) neither loses nor repeats links, though the service is down at first',
		async (end) => {
			const failed = (await watch.errors()).length;
			// Polls that find nothing, of which n8n may store nothing.
			await watch.polls(3);
			await harness.n8n[end]();
			await harness.sandbox.suspend();
			watch.addLink(`before a start after ${end}`);
			await harness.n8n.start();
			await harness.n8n.rest.signIn();
			await until('a poll has failed', async () => (await watch.errors()).length > failed);
			await harness.sandbox.resume();
			watch.addLink(`after a start after ${end}`);
			await watch.expectReported();
		},
	);

	test('the trigger reports no link from between unpublishing and publishing', async () => {
		await watch.unpublish();
		harness.sandbox.account.links.add({ title: 'between', link: 'https://example.com/between' });
		await watch.publishAgain();
		watch.addLink('after publishing');
		await watch.expectReported();
	});

	return harness;
}
