import { setTimeout as wait } from 'node:timers/promises';

import { statusFault } from '../../../sandbox/faults';
import { DURABLE_CURSORS, SCHEDULER, testPolling } from '../support/polling';
import { Trial } from '../support/trial';

const n8n = testPolling({
	name: 'n8n-trigger-cursors',
	env: { ...SCHEDULER, ...DURABLE_CURSORS },
});

test('the trigger waits after a rejected credential, until new poll times are published', async () => {
	const trial = await Trial.create(n8n(), 'Rejected');
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
	await trial.watch.publishNewVersion(5);
	await trial.expectEmitted(['meanwhile']);
	await trial.close();
});

const OFF = { N8N_POLLER_DURABLE_CURSORS_ENABLED: 'false' };

test('the trigger continues where it was when durable cursors, and then the scheduler, are turned off', async () => {
	const trial = await Trial.create(n8n(), 'Turned off');
	await trial.watch.activate();
	trial.link('a');
	await trial.watch.emits('a');
	const titles = ['a'];
	for (const env of [OFF, { ...OFF, N8N_SCHEDULER_ENABLED: 'false' }]) {
		await trial.polls(2);
		await n8n().stop();
		titles.push(`down ${titles.length}`);
		trial.link(titles.at(-1)!);
		await n8n().start(env);
		await n8n().rest.signIn();
		titles.push(`up ${titles.length}`);
		trial.link(titles.at(-1)!);
		await trial.expectEmitted(titles);
	}
	await trial.close();
});
