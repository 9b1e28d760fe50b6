import { setTimeout as wait } from 'node:timers/promises';

import { statusFault } from '../../../sandbox/faults';
import { N8n } from './n8n';
import { Trial } from './trial';
import type { WatchOptions } from './watch';

const EVENTS = 2;
const PRESS = 3;

const OTHER_APP = { clientId: 'other-id', clientSecret: 'other-secret' };

/** How n8n polls in a suite. */
export interface Polling {
	/** Names the logs of n8n. */
	name: string;
	env: NodeJS.ProcessEnv;
	/** Whether failed polls delay later ones. */
	hasBackoff?: boolean;
}

/** Settings of n8n's scheduler. Its limit for a poll is short, so that a test need not wait for it. */
export const SCHEDULER = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '2',
	N8N_SCHEDULER_POLL_TIMEOUT: '14',
};

export const DURABLE_CURSORS = { N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true' };

/** Each scenario: what happens, and what the user gets. All run at the same time, and then all restarts. */
type Scenario = (trial: (options?: WatchOptions) => Promise<Trial>) => Promise<void>;

const scenarios: Record<string, Scenario> = {
	'reports each link once and in order, and none that was there when it was published': async (
		create,
	) => {
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

	'reports links from between publishing and the first poll': async (create) => {
		const trial = await create({ seconds: [secondFromNow(20)] });
		await trial.watch.activate();
		trial.link('a');
		await trial.watch.emits('a');
		await trial.close();
	},

	'reports no link twice if poll times coincide': async (create) => {
		const every3 = Array.from({ length: 20 }, (_, index) => index * 3);
		const trial = await create({ seconds: [...every3, ...every3] });
		await trial.watch.activate();
		trial.onList({ latency: 300 });
		for (const title of ['a', 'b', 'c']) {
			trial.link(title);
			await trial.watch.emits(title);
		}
		await trial.expectEmitted(['a', 'b', 'c']);
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

	'loses no link after a slow first poll': async (create) => {
		const trial = await create();
		trial.onList({ latency: 8000, times: 1 });
		await trial.watch.activate();
		trial.link('a');
		await trial.expectEmitted(['a']);
		await trial.close();
	},

	'reports no link from before it was published if the first attempts fail': async (create) => {
		const trial = await create();
		trial.link('before');
		trial.onList({ fault: statusFault(400), times: 2 });
		await trial.watch.activate();
		trial.link('after');
		await trial.expectEmitted(['after']);
		await trial.close();
	},

	'reports no link from between unpublishing and publishing': async (create) => {
		const trial = await create();
		await trial.watch.activate();
		trial.link('before');
		await trial.watch.emits('before');
		await trial.watch.deactivate();
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

	'adds a failed execution if the service does not respond': async (create) => {
		const trial = await create();
		await trial.watch.activate();
		trial.onList({ fault: 'hang', times: 2 });
		trial.link('a');
		await trial.watch.emits('a');
		const message = 'The links were not read: the service did not respond in time';
		expect(new Set(await trial.watch.errors())).toEqual(new Set([message]));
		await trial.close();
	},

	'continues where it was when a new version is published, also if its first poll fails': async (
		create,
	) => {
		const trial = await create();
		await trial.watch.activate();
		trial.link('before');
		await trial.watch.emits('before');
		trial.onList({ fault: statusFault(400) });
		trial.link('meanwhile');
		await trial.polls(1);
		await trial.watch.publishNewVersion({ interval: 5 });
		trial.sandbox.faults.clear();
		trial.link('after');
		await trial.expectEmitted(['before', 'meanwhile', 'after']);
		await trial.close();
	},

	'starts over after a change of the Base URL': async (create) => {
		const trial = await create();
		await trial.watch.activate();
		trial.link('before');
		await trial.watch.emits('before');
		const sandbox = await trial.startSandbox();
		trial.link('old', { sandbox });
		await trial.n8n.rest.editCredential(trial.credential, { baseUrl: sandbox.baseUrl });
		await trial.polls(2, sandbox);
		trial.link('a', { sandbox });
		await trial.watch.emits('a');
		await trial.polls(2, sandbox);
		trial.link('b', { sandbox });
		await trial.expectEmitted(['before', 'a', 'b'], sandbox);
		await trial.close();
	},

	'starts over after a change of the Client ID': async (create) => {
		const trial = await create();
		await trial.watch.activate();
		trial.link('before');
		await trial.watch.emits('before');
		await trial.n8n.rest.editCredential(trial.credential, OTHER_APP);
		await trial.polls(2);
		trial.link('after');
		await trial.expectEmitted(['before', 'after']);
		await trial.close();
	},

	'starts over after a change of the group': async (create) => {
		const trial = await create({ filters: { groupId: String(PRESS) } });
		await trial.watch.activate();
		trial.link('old', { groupId: EVENTS });
		await trial.polls(2);
		await trial.watch.publishNewVersion({ filters: { groupId: String(EVENTS) } });
		trial.link('new', { groupId: EVENTS });
		await trial.expectEmitted(['new']);
		await trial.close();
	},
};

const backoff: Scenario = async (create) => {
	const trial = await create();
	await trial.watch.activate();
	trial.sandbox.faults.add({ path: '/token', fault: statusFault(401) });
	trial.sandbox.oauth.revokeAccessTokens();
	await trial.polls(1);
	const before = trial.requests();
	await wait(12_000);
	expect(trial.requests()).toBe(before);
	expect(await trial.watch.errors()).toHaveLength(1);
	trial.sandbox.faults.clear();
	trial.link('meanwhile');
	await trial.watch.publishNewVersion({ interval: 5 });
	await trial.expectEmitted(['meanwhile']);
	await trial.close();
};

/** Its parts run before n8n is about to end, just before it ends, while it is down, and after it has started. */
type Restart = (
	trial: (options?: WatchOptions) => Promise<Trial>,
) => AsyncGenerator<void, void, void>;

const restarts: Record<string, Restart> = {
	'neither loses nor repeats links': async function* (create) {
		const trial = await create();
		await trial.watch.activate();
		trial.link('before');
		await trial.watch.emits('before');
		// Polls that find nothing, of which n8n may store nothing.
		await trial.polls(3);
		yield;
		yield;
		trial.link('during');
		yield;
		trial.link('after');
		await trial.expectEmitted(['before', 'during', 'after']);
		await trial.close();
	},

	'loses no link if it comes before the first poll': async function* (create) {
		const trial = await create({ seconds: [secondFromNow(-10)] });
		yield;
		await trial.watch.publishNewVersion({ seconds: [secondFromNow(50)] });
		trial.link('before');
		yield;
		trial.link('during');
		yield;
		await trial.watch.emits('during');
		expect((await trial.watch.emitted()).flat()).toEqual(['before', 'during']);
		await trial.close();
	},

	'does not report links from between unpublishing and publishing': async function* (create) {
		const trial = await create();
		await trial.watch.activate();
		trial.link('before');
		await trial.watch.emits('before');
		await trial.watch.deactivate();
		trial.link('between');
		yield;
		await trial.watch.publishNewVersion({ seconds: [secondFromNow(50)] });
		yield;
		trial.link('during');
		yield;
		await trial.watch.emits('during');
		expect((await trial.watch.emitted()).flat()).toEqual(['before', 'during']);
		await trial.close();
	},

	'does not silence a trigger whose Base URL was changed': async function* (create) {
		const trial = await create();
		await trial.watch.activate();
		const sandbox = await trial.startSandbox();
		trial.link('old', { sandbox });
		yield;
		await trial.n8n.rest.editCredential(trial.credential, { baseUrl: sandbox.baseUrl });
		await trial.polls(2, sandbox);
		yield;
		yield;
		await trial.polls(2, sandbox);
		trial.link('new', { sandbox });
		await trial.expectEmitted(['new'], sandbox);
		await trial.close();
	},

	'while the service is down does not end the polling': async function* (create) {
		const trial = await create();
		await trial.watch.activate();
		trial.link('before');
		await trial.watch.emits('before');
		yield;
		yield;
		await trial.sandbox.suspend();
		trial.link('during');
		yield;
		await wait(8000);
		expect((await trial.watch.errors()).length).toBeGreaterThan(0);
		await trial.sandbox.resume();
		await trial.expectEmitted(['before', 'during']);
		await trial.close();
	},
};

/** Returns the second of a minute, some seconds from now. */
function secondFromNow(seconds: number): number {
	return new Date(Date.now() + seconds * 1000).getSeconds();
}

/** Defines the tests of the trigger in a real n8n. */
export function testPolling({ name, env, hasBackoff }: Polling): () => N8n {
	let n8n: N8n;
	beforeAll(async () => {
		n8n = await N8n.create({ name, env });
		await n8n.start();
		await n8n.rest.setUpOwner();
	});
	afterAll(async () => await n8n.remove());

	const createTrial = (title: string) => async (options?: WatchOptions) =>
		await Trial.create(n8n, title, options, { privateApps: [OTHER_APP] });

	describe('the trigger', () => {
		const all = Object.entries(hasBackoff ? { ...scenarios, [BACKOFF]: backoff } : scenarios);
		const outcomes = new Map<string, Promise<void>>();
		beforeAll(() => {
			for (const [title, run] of all) {
				const outcome = run(createTrial(title));
				outcome.catch(() => undefined);
				outcomes.set(title, outcome);
			}
		});
		test.each(all.map(([title]) => title))('%s', async (title) => await outcomes.get(title));
	});

	describe.each(['SIGTERM', 'SIGKILL'] as const)('a restart of n8n after %s', (signal) => {
		const outcomes = new Map<string, Promise<void>>();
		beforeAll(async () => {
			const runs = Object.entries(restarts).map(([title, restart]) => {
				const steps = restart(createTrial(`${title} (${signal})`));
				return { title, steps, outcome: Promise.resolve() };
			});
			const advance = async () => {
				for (const run of runs) {
					run.outcome = run.outcome.then(async () => {
						await run.steps.next();
					});
				}
				await Promise.allSettled(runs.map(async ({ outcome }) => await outcome));
			};
			await advance();
			await advance();
			await (signal === 'SIGTERM' ? n8n.stop() : n8n.kill());
			await advance();
			await n8n.start();
			await n8n.rest.signIn();
			void advance();
			for (const { title, outcome } of runs) outcomes.set(title, outcome);
		}, 240_000);
		test.each(Object.keys(restarts))('%s', async (title) => await outcomes.get(title));
	});

	return () => n8n;
}

const BACKOFF = 'waits after a rejected credential, until new poll times are published';
