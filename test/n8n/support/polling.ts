import { statusFault } from '../../../sandbox/faults';
import { N8n, type N8nOptions } from './n8n';
import { until } from './processes';
import { type CreateTrial, Trial } from './trial';

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

export const DURABLE_CURSORS = { N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true' };

/** Defines the tests of the trigger in a real n8n with these settings, and returns that n8n. */
export function testPolling({ name, env }: Required<Pick<N8nOptions, 'name' | 'env'>>): () => N8n {
	let n8n: N8n;
	beforeAll(async () => {
		n8n = await N8n.create({ name, env: { ...SQLITE_POOL, ...env } });
		await n8n.start();
		await n8n.rest.setUpOwner();
	});
	afterAll(async () => {
		await n8n.remove();
		// A scenario that failed has not closed its own.
		for (const { sandbox } of trials.splice(0)) await sandbox.close();
	});

	describe('the trigger', () => {
		testTogether(() => n8n);
	});
	test.each(['SIGTERM', 'SIGKILL'])(
		'a restart of n8n after %s neither loses nor repeats links, though the service is down at first',
		async (signal) => {
			const trial = await createTrial(n8n, signal)();
			await trial.watch.activate();
			trial.link('before');
			await trial.watch.emits('before');
			// Polls that find nothing, of which n8n may store nothing.
			await trial.polls(3);
			await (signal === 'SIGTERM' ? n8n.stop() : n8n.kill());
			await trial.sandbox.suspend();
			trial.link('during');
			await n8n.start();
			await n8n.rest.signIn();
			await until('a poll has failed', async () => (await trial.watch.errors()).length > 0);
			await trial.sandbox.resume();
			trial.link('after');
			await trial.expectEmitted(['before', 'during', 'after']);
			await trial.close();
		},
	);
	return () => n8n;
}

const trials: Trial[] = [];

const createTrial = (n8n: N8n, title: string) => async () => {
	const trial = await Trial.create(n8n, title);
	trials.push(trial);
	return trial;
};

/** Runs all scenarios at the same time, as they mostly wait. */
function testTogether(n8n: () => N8n): void {
	const outcomes = new Map<string, Promise<void>>();
	beforeAll(() => {
		for (const [title, run] of Object.entries(scenarios)) {
			const outcome = run(createTrial(n8n(), title));
			// Its own test reports the error.
			outcome.catch(() => undefined);
			outcomes.set(title, outcome);
		}
	});
	test.each(Object.keys(scenarios))('%s', async (title) => await outcomes.get(title));
}

/** Named by what the user gets. */
type Scenario = (create: CreateTrial) => Promise<void>;

const scenarios: Record<string, Scenario> = {
	'reports each link once and in order, and none that was there when it was published': async (create) => {
		const trial = await create();
		await trial.watch.activate();
		await trial.polls(2);
		trial.link('a');
		trial.link('b');
		await trial.watch.emits('b');
		await trial.polls(2);
		trial.link('c');
		await trial.expectEmitted(['a', 'b', 'c']);
		expect(await trial.watch.errors()).toEqual([]);
		await trial.close();
	},

	'reports no link twice if a poll takes longer than the interval': async (create) => {
		const trial = await create();
		await trial.watch.activate();
		trial.onList({ latency: 5000 });
		trial.link('a');
		await trial.polls(1);
		trial.link('b');
		await trial.expectEmitted(['a', 'b']);
		await trial.close();
	},

	'reports no link from between unpublishing and publishing': async (create) => {
		const trial = await create();
		await trial.watch.activate();
		trial.link('before');
		await trial.watch.emits('before');
		await trial.unpublish();
		trial.link('between');
		await trial.watch.activate();
		trial.link('after');
		await trial.expectEmitted(['before', 'after']);
		await trial.close();
	},

	'adds a failed execution for each poll that fails, and loses no link': async (create) => {
		const trial = await create();
		await trial.watch.activate();
		trial.link('before');
		await trial.watch.emits('before');
		trial.onList({ fault: statusFault(400), times: 2 });
		trial.link('meanwhile');
		await trial.expectEmitted(['before', 'meanwhile']);
		const message = 'The links were not read: the service rejected the request (400)';
		expect(await trial.watch.errors()).toEqual([message, message]);
		await trial.close();
	},

	'continues where it was when a new version is published, also if its first poll fails': async (create) => {
		const trial = await create();
		await trial.watch.activate();
		trial.link('before');
		await trial.watch.emits('before');
		trial.onList({ fault: statusFault(400) });
		trial.link('meanwhile');
		await trial.polls(1);
		await trial.watch.publishNewVersion(5);
		trial.sandbox.faults.clear();
		trial.link('after');
		await trial.expectEmitted(['before', 'meanwhile', 'after']);
		await trial.close();
	},
};
