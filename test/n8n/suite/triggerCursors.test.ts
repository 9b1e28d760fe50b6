import { setTimeout as wait } from 'node:timers/promises';

import { statusFault } from '../../../sandbox/faults';
import { SCHEDULER, testPolling } from '../support/polling';

const env = { ...SCHEDULER, N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true' };
const harness = testPolling({ name: 'n8n-trigger-cursors', env });

test('the trigger waits after a rejected credential, until new poll times are published', async () => {
	const { sandbox, watch } = harness;
	const failed = (await watch.errors()).length;
	sandbox.faults.add({ path: '/token', fault: statusFault(401) });
	sandbox.oauth.revokeAccessTokens();
	await watch.polls(1);
	const before = watch.requests;
	await wait(12_000);
	expect(watch.requests).toBe(before);
	expect(await watch.errors()).toHaveLength(failed + 1);
	sandbox.faults.clear();
	watch.addLink('meanwhile');
	await watch.publishNewVersion();
	await watch.expectReported();
});
