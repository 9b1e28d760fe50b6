import { N8n } from './n8n';
import { type Scenario, scenarios, withDurableCursors, withoutCursors } from './pollingScenarios';
import { restartScenarios } from './restartScenarios';
import { OTHER_APP, Trial } from './trial';
import type { WatchOptions } from './watch';

/** How n8n polls in a suite. */
export interface Polling {
	/** Names the logs of n8n. */
	name: string;
	env: NodeJS.ProcessEnv;
	/** Whether n8n keeps durable cursors. */
	isDurable?: boolean;
}

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

/** Defines the tests of the trigger in a real n8n, and returns that n8n. */
export function testPolling({ name, env, isDurable }: Polling): () => N8n {
	let n8n: N8n;
	beforeAll(async () => {
		n8n = await N8n.create({ name, env: { ...SQLITE_POOL, ...env } });
		await n8n.start();
		await n8n.rest.setUpOwner();
	});
	afterAll(async () => {
		await n8n.remove();
		// A scenario that failed has not closed its own.
		for (const trial of trials.splice(0)) await trial.stopServices();
	});

	describe('the trigger', () => {
		const special = isDurable ? withDurableCursors : withoutCursors;
		testTogether(() => n8n, { ...scenarios, ...special });
	});
	describe.each(['SIGTERM', 'SIGKILL'] as const)('a restart of n8n after %s', (signal) => {
		testRestart(() => n8n, signal);
	});
	return () => n8n;
}

const trials: Trial[] = [];

const createTrial = (n8n: N8n, title: string) => async (options?: WatchOptions) => {
	const trial = await Trial.create(n8n, title, options, { privateApps: [OTHER_APP] });
	trials.push(trial);
	return trial;
};

/** Runs scenarios at the same time, as they mostly wait. */
function testTogether(n8n: () => N8n, all: Record<string, Scenario>): void {
	const outcomes = new Map<string, Promise<void>>();
	beforeAll(() => {
		for (const [title, run] of Object.entries(all)) {
			const outcome = run(createTrial(n8n(), title));
			// Its own test reports the error.
			outcome.catch(() => undefined);
			outcomes.set(title, outcome);
		}
	});
	test.each(Object.keys(all))('%s', async (title) => await outcomes.get(title));
}

/** Runs all scenarios of a restart with one restart. */
function testRestart(n8n: () => N8n, signal: 'SIGTERM' | 'SIGKILL'): void {
	const outcomes = new Map<string, Promise<void>>();
	beforeAll(async () => {
		const runs = Object.entries(restartScenarios).map(([title, run]) => ({
			title,
			steps: run(createTrial(n8n(), `${title} (${signal})`)),
		}));
		const advance = async () => {
			for (const { title, steps } of runs) {
				const before = outcomes.get(title);
				const outcome = (async () => {
					await before;
					await steps.next();
				})();
				outcomes.set(title, outcome);
			}
			await Promise.allSettled(outcomes.values());
		};
		await advance();
		await advance();
		await (signal === 'SIGTERM' ? n8n().stop() : n8n().kill());
		await advance();
		await n8n().start();
		await n8n().rest.signIn();
		void advance();
	}, 240_000);
	test.each(Object.keys(restartScenarios))('%s', async (title) => await outcomes.get(title));
}
