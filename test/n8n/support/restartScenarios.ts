import { until } from './processes';
import { type CreateTrial, secondFromNow } from './trial';

/**
 * What happens when n8n restarts, named by what the user gets. Its parts run before that, just before n8n ends, while it
 * is down, and after it has started.
 */
export type RestartScenario = (create: CreateTrial) => AsyncGenerator<void, void, void>;

export const restartScenarios: Record<string, RestartScenario> = {
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
		await trial.unpublish();
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
		await until('a poll has failed', async () => (await trial.watch.errors()).length > 0);
		await trial.sandbox.resume();
		await trial.expectEmitted(['before', 'during']);
		await trial.close();
	},
};
