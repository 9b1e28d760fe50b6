import { setTimeout as wait } from 'node:timers/promises';

import type { INodeParameters } from 'n8n-workflow';

import { statusFault } from '../../sandbox/faults';
import { useHarness } from '../support/harness';
import { pageSeed } from '../support/pages';
import { batching, GET_INFO } from '../support/parameters';
import { waitUntil } from '../support/waitUntil';

const PAGES = Array.from({ length: 12 }, (_, index) => `PAGE_${index}`);

const harness = useHarness({ pages: PAGES.map((id) => pageSeed(id, ['a', 'b'])) });

/** Reorders all pages, and cancels the execution shortly after the condition becomes true. */
async function cancelWhen(
	condition: () => boolean,
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
	await waitUntil(condition);
	await wait(50);
	const sent = harness.sandbox.recorder.requests.length;
	const canceledAt = Date.now();
	controller.abort();
	const outcome = await running;
	const took = Date.now() - canceledAt;
	await wait(50);
	return { ...outcome, took, sentLater: harness.sandbox.recorder.requests.length - sent };
}

/** The indexes of the pages that were reordered. */
const reorderedPages = () =>
	PAGES.filter((page) => harness.sandbox.account.order(page)[0] === 'b').map((page) => Number(page.slice(5)));

const LOOK_FIRST = 'Unknown outcome: item 0. Look at your profile before you run the workflow again.';

/** A canceled execution ends within this time, in milliseconds. */
const PROMPTLY = 1000;

describe('Canceling an execution', () => {
	test('aborts the requests in flight and sends no more', async () => {
		for (const page of PAGES.slice(2)) harness.sandbox.faults.add({ page, fault: 'hang' });
		const outcome = await cancelWhen(() => harness.sandbox.recorder.inFlight === 3, batching(3));
		expect(outcome.run.status).toBe('canceled');
		expect(outcome.took).toBeLessThan(PROMPTLY);
		expect(outcome.sentLater).toBe(0);
		expect(harness.sandbox.recorder.inFlight).toBe(0);
		expect(reorderedPages()).toEqual([0, 1]);
		expect(outcome.error).toMatchObject({
			message: 'The execution was canceled – 3 of 12 items failed; 7 were not processed',
			description:
				'Failed: items 2, 3, 4, counted from 0. Unknown outcome: items 2, 3, 4. Look at your profile before you run the workflow again.',
		});
	});

	test.each([
		['a single link', { resource: 'links', operation: 'create', title: 'a', url: 'https://example.org' }, LOOK_FIRST],
		['the profile info', GET_INFO, undefined],
	])('says for %s in flight what became of it', async (_name, parameters, description) => {
		harness.sandbox.faults.add({ fault: 'hang', path: parameters === GET_INFO ? '/me' : '/add' });
		const controller = new AbortController();
		const running = harness.runNode(parameters, { signal: controller.signal });
		await waitUntil(() => harness.sandbox.recorder.calls.length === 1);
		controller.abort();
		const { error } = await running;
		expect(error).toMatchObject({ message: 'The execution was canceled', description });
	});

	test('ends the wait before a retry', async () => {
		const fault = statusFault(503, '', { 'retry-after': '60' });
		harness.sandbox.faults.add({ path: '/sort', page: PAGES[3], fault });
		const outcome = await cancelWhen(() => reorderedPages().length === 11, {});
		expect(outcome.run.status).toBe('canceled');
		expect(outcome.took).toBeLessThan(PROMPTLY);
		expect(outcome.sentLater).toBe(0);
		expect(outcome.error).toMatchObject({
			message: 'The execution was canceled – item 3 of 12 failed',
			description:
				'Items are counted from 0. Unknown outcome: item 3. Look at your profile before you run the workflow again.',
		});
	});

	test('ends the wait between batches', async () => {
		const outcome = await cancelWhen(() => reorderedPages().length === 4, batching(4, 60_000));
		expect(outcome.took).toBeLessThan(PROMPTLY);
		expect(outcome.sentLater).toBe(0);
		expect(outcome.error).toMatchObject({
			message: 'The execution was canceled – 4 of 12 items succeeded; 8 were not processed',
		});
	});

	test('does not abort a token request that another execution waits for', async () => {
		harness.sandbox.faults.latency = 300;
		const { store, reference } = harness.newAccount();
		const controller = new AbortController();
		const running = harness.runNode(GET_INFO, { store, reference, signal: controller.signal });
		await waitUntil(() => harness.sandbox.recorder.grants > 0);
		const other = harness.runNode(GET_INFO, { store, reference });
		await wait(100);
		controller.abort();
		expect((await running).run.status).toBe('canceled');
		expect((await other).items).toHaveLength(1);
		expect(harness.sandbox.recorder.grants).toBe(1);
	});

	test('returns no error items for requests that were not sent, even with Continue on Fail', async () => {
		for (const page of PAGES) harness.sandbox.faults.add({ page, fault: 'hang' });
		const outcome = await cancelWhen(
			() => harness.sandbox.recorder.inFlight === 10,
			{},
			{ onError: 'continueRegularOutput' },
		);
		expect(outcome.took).toBeLessThan(PROMPTLY);
		expect(outcome.run.status).toBe('canceled');
		expect(outcome.items.filter(({ json }) => json.error)).toEqual([]);
	});
});
