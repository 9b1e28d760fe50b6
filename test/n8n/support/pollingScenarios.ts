import { setTimeout as wait } from 'node:timers/promises';

import { statusFault } from '../../../sandbox/faults';
import { type CreateTrial, OTHER_APP, secondFromNow } from './trial';
import { isN8n1 } from './versions';

const EVENTS = 2;
const PRESS = 3;

/** Named by what the user gets. */
export type Scenario = (create: CreateTrial) => Promise<void>;

export const scenarios: Record<string, Scenario> = {
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
		// n8n 1 publishes a workflow only once its first poll has succeeded.
		for (let failed = 0; isN8n1 && failed < 2; failed += 1) {
			await expect(trial.watch.activate()).rejects.toThrow('The links were not read');
		}
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

	'continues where it was when a new version is published, also if its first poll fails': async (create) => {
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

/** Publishes a new version in which the node has another name, and returns which links are reported. */
async function rename(create: CreateTrial): Promise<string[]> {
	const trial = await create({ isIdle: true });
	await trial.watch.activate();
	trial.link('before');
	await trial.watch.publishNewVersion({ nodeName: 'Renamed' });
	trial.link('after');
	await trial.watch.emits('after');
	const emitted = (await trial.watch.emitted()).flat();
	await trial.close();
	return emitted;
}

/** Those of n8n without durable cursors. */
export const withoutCursors: Record<string, Scenario> = {
	'starts over after the node was renamed': async (create) => {
		expect(await rename(create)).toEqual(['after']);
	},
};

export const withDurableCursors: Record<string, Scenario> = {
	'continues where it was after the node was renamed': async (create) => {
		expect(await rename(create)).toEqual(['before', 'after']);
	},

	'waits after a rejected credential, until new poll times are published': async (create) => {
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
	},
};
