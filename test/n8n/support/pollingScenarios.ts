import { statusFault } from '../../../sandbox/faults';
import { type CreateTrial, secondFromNow } from './trial';

/** Named by what the user gets. */
type Scenario = (create: CreateTrial) => Promise<void>;

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
		await trial.watch.publishNewVersion({ interval: 5 });
		trial.sandbox.faults.clear();
		trial.link('after');
		await trial.expectEmitted(['before', 'meanwhile', 'after']);
		await trial.close();
	},
};
