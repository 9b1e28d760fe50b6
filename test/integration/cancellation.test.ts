import { setTimeout as wait } from 'node:timers/promises';

import type { INodeParameters } from 'n8n-workflow';

import { statusFault } from '../../sandbox/faults';
import { Harness } from '../support/harness';

const PAGES = Array.from({ length: 12 }, (_, index) => `PAGE_${index}`);

let harness: Harness;
beforeEach(async () => {
	const blocks = ['a', 'b'].map((id) => ({ id, type: 'BLOCK_TITLE' }));
	harness = await Harness.open({ pages: PAGES.map((id) => ({ id, blocks })) });
});
afterEach(async () => await harness.close());

/** Reorders all pages, and cancels the execution a while after the condition holds. */
async function cancelWhen(
	holds: () => boolean,
	options: INodeParameters,
	{ onError }: { onError?: 'continueRegularOutput' } = {},
) {
	const controller = new AbortController();
	const running = harness.runNode(
		{
			resource: 'blocks',
			operation: 'reorder',
			pageId: '={{ $json.page }}',
			blockIds: ['b', 'a'],
			options,
		},
		{ items: PAGES.map((page) => ({ page })), signal: controller.signal, settings: { onError } },
	);
	while (!holds()) await wait(5);
	await wait(100);
	const sent = harness.sandbox.recorder.requests.length;
	const cancelledAt = Date.now();
	controller.abort();
	const outcome = await running;
	const took = Date.now() - cancelledAt;
	await wait(200);
	return { ...outcome, took, sentLater: harness.sandbox.recorder.requests.length - sent };
}

const done = () =>
	PAGES.filter((page) => harness.sandbox.account.order(page)[0] === 'b').map((page) =>
		Number(page.slice(5)),
	);

const AT_ONCE = 1000;

test('ends the requests in flight, and sends no more', async () => {
	for (const page of PAGES.slice(2)) harness.sandbox.faults.add({ page, fault: 'hang' });
	const outcome = await cancelWhen(() => harness.sandbox.recorder.inFlight === 3, {
		batching: { batch: { batchSize: 3 } },
	});
	expect(outcome.run.status).toBe('canceled');
	expect(outcome.took).toBeLessThan(AT_ONCE);
	expect(outcome.sentLater).toBe(0);
	expect(harness.sandbox.recorder.inFlight).toBe(0);
	expect(done()).toEqual([0, 1]);
	expect(outcome.error!.message).toBe(
		'The execution was canceled. Done: items 0–1; in flight: items 2–4; not sent: items 5–11 (of 12, counted from 0).',
	);
});

test('ends the wait before a retry', async () => {
	const fault = statusFault(503, '', { 'retry-after': '5' });
	harness.sandbox.faults.add({ path: '/sort', page: PAGES[3], fault });
	const outcome = await cancelWhen(() => done().length === 11, {});
	expect(outcome.run.status).toBe('canceled');
	expect(outcome.took).toBeLessThan(AT_ONCE);
	expect(outcome.sentLater).toBe(0);
	expect(outcome.error!.message).toContain('Done: items 0–2, 4–11; in flight: item 3 (of 12');
});

test('ends the wait between batches', async () => {
	const outcome = await cancelWhen(() => done().length === 4, {
		batching: { batch: { batchSize: 4, batchInterval: 5000 } },
	});
	expect(outcome.took).toBeLessThan(AT_ONCE);
	expect(outcome.sentLater).toBe(0);
	expect(outcome.error!.message).toContain('Done: items 0–3; not sent: items 4–11');
});

test('ends the wait for the token', async () => {
	harness.sandbox.faults.add({ path: '/token', fault: 'hang' });
	const outcome = await cancelWhen(() => harness.sandbox.recorder.grants === 1, {});
	expect(outcome.run.status).toBe('canceled');
	expect(outcome.took).toBeLessThan(AT_ONCE);
	expect(outcome.sentLater).toBe(0);
	expect(done()).toEqual([]);
});

test('ends the wait for a token that another execution is fetching', async () => {
	harness.sandbox.faults.add({ path: '/token', fault: 'hang' });
	const store = harness.newStore();
	const reference = harness.addCredential(store);
	const getInfo = {
		resource: 'me',
		operation: 'getInfo',
		options: { timeout: 3000, maxRetries: 0 },
	};
	const other = harness.runNode(getInfo, { store, reference });
	while (harness.sandbox.recorder.grants === 0) await wait(5);

	const controller = new AbortController();
	const running = harness.runNode(getInfo, { store, reference, signal: controller.signal });
	await wait(100);
	const cancelledAt = Date.now();
	controller.abort();
	expect((await running).run.status).toBe('canceled');
	expect(Date.now() - cancelledAt).toBeLessThan(AT_ONCE);
	expect((await other).error!.message).toContain('did not answer the token request in time');
	expect(harness.sandbox.recorder.grants).toBe(1);
});

test('leaves a token that it is fetching to the executions that wait for it', async () => {
	harness.sandbox.faults.latency = 700;
	const store = harness.newStore();
	const reference = harness.addCredential(store);
	const getInfo = { resource: 'me', operation: 'getInfo' };
	const controller = new AbortController();
	const running = harness.runNode(getInfo, { store, reference, signal: controller.signal });
	while (harness.sandbox.recorder.grants === 0) await wait(5);
	const other = harness.runNode(getInfo, { store, reference });
	await wait(100);
	controller.abort();
	expect((await running).run.status).toBe('canceled');
	expect((await other).items).toHaveLength(1);
	expect(harness.sandbox.recorder.grants).toBe(1);
});

test('returns no error items for what was not sent, also with Continue on Fail', async () => {
	for (const page of PAGES) harness.sandbox.faults.add({ page, fault: 'hang' });
	const outcome = await cancelWhen(
		() => harness.sandbox.recorder.inFlight === 10,
		{},
		{ onError: 'continueRegularOutput' },
	);
	expect(outcome.took).toBeLessThan(AT_ONCE);
	expect(outcome.run.status).toBe('canceled');
	expect(outcome.items.filter(({ json }) => json.error)).toEqual([]);
});
