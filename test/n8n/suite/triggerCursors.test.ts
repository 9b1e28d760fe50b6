import { DURABLE_CURSORS, SCHEDULER, testPolling } from '../support/polling';
import { Trial } from '../support/trial';

const n8n = testPolling({
	name: 'n8n-trigger-cursors',
	env: { ...SCHEDULER, ...DURABLE_CURSORS },
	isDurable: true,
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
