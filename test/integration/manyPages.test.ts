import { setTimeout as wait } from 'node:timers/promises';

import type { INodeParameters } from 'n8n-workflow';

import { statusFault } from '../../sandbox/faults';
import { Harness, useHarness } from '../support/harness';
import { pageSeed } from '../support/pages';
import { batching, REORDER_EACH_ITEM } from '../support/parameters';
import { PAUSE_DIVISOR, pauses } from '../support/pauses';
import { storedToken } from '../support/storedToken';
import { waitUntil } from '../support/waitUntil';

const PAGES = 120;
const pageId = (index: number) => `PAGE_${index}`;
const blockIds = (page: string) => [0, 1, 2].map((block) => `${page}.${block}`);

const seeds = Array.from({ length: PAGES }, (_, index) => pageSeed(pageId(index), blockIds(pageId(index))));

const harness = useHarness({ pages: seeds });

const order = (page: string) => harness.sandbox.account.order(page);

const reorder = (options: INodeParameters = {}, more: INodeParameters = {}): INodeParameters => ({
	...REORDER_EACH_ITEM,
	options,
	...more,
});

/** An item for each page, which reverses the order of its blocks. */
const reversals = (count = PAGES) => seeds.slice(0, count).map(({ id }) => ({ page: id, ids: blockIds(id).reverse() }));

/** A slow machine may reach fewer concurrent requests than the limit, but never more. */
function expectConcurrency(limit: number): void {
	const { mostInFlight } = harness.sandbox.recorder;
	expect(mostInFlight).toBeLessThanOrEqual(limit);
	expect(mostInFlight).toBeGreaterThan(limit / 2);
}

describe('Batching', () => {
	test('sends only ten requests concurrently until one has succeeded', async () => {
		harness.sandbox.faults.add({ path: '/sort', fault: 'hang' });
		const controller = new AbortController();
		const { recorder } = harness.sandbox;
		const running = harness.runNode(reorder(), { items: reversals(), signal: controller.signal });
		await waitUntil(() => recorder.inFlight === 10);
		await wait(100);
		controller.abort();
		await running;
		expect(recorder.mostInFlight).toBe(10);
	});

	test.each([
		[1, batching(1), 1],
		[4, batching(4), 10],
		[50, {}, 500],
	])('then limits them to Items per Batch: %p, with the options %j', async (batchSize, options, latency) => {
		harness.sandbox.faults.latency = latency;
		const { items } = await harness.runNode(reorder(options), { items: reversals() });
		expect(items).toHaveLength(3 * PAGES);
		expectConcurrency(batchSize);
		expect(seeds.map(({ id }) => order(id))).toEqual(reversals().map(({ ids }) => ids));
	});

	test('waits for the Batch Interval between batches', async () => {
		const INTERVAL = 600;
		pauses.length = 0;
		const sentAfter: number[] = [];
		const startedAt = performance.now();
		harness.sandbox.account.on('change', () => sentAfter.push(performance.now() - startedAt));
		const options = batching(4, INTERVAL * PAUSE_DIVISOR);
		await harness.runNode(reorder(options), { items: reversals(12) });
		expect(sentAfter).toHaveLength(12);
		// A request keeps its place for the interval. A slow machine may send requests later, but never sooner.
		expect(pauses).toEqual(Array(12).fill(INTERVAL * PAUSE_DIVISOR));
		const TOLERANCE = 10;
		expect(sentAfter[4]).toBeGreaterThan(INTERVAL - TOLERANCE);
		expect(sentAfter[8]).toBeGreaterThan(2 * INTERVAL - TOLERANCE);
	});
});

describe('Options that must be whole numbers', () => {
	const WHOLE = 'the value must be a whole number';
	test.each([
		[batching(0), `Items per Batch: ${WHOLE}, at least 1`],
		[batching(2.5), `Items per Batch: ${WHOLE}, at least 1`],
		[batching(5, -1), `Batch Interval (ms): ${WHOLE}, from 0 to 86400000`],
		[{ timeout: 0 }, `Timeout (ms): ${WHOLE}, from 1 to 86400000`],
		[{ maxRetries: 11 }, `Max Retries: ${WHOLE}, from 0 to 10`],
	])('are rejected before anything is sent if they are %j', async (options, message) => {
		const { error } = await harness.runNode(reorder(options), { items: reversals(2) });
		expect(error).toMatchObject({ name: 'NodeOperationError', message });
		const continued = await harness.runNode(reorder(options), {
			items: reversals(2),
			settings: { onError: 'continueRegularOutput' },
		});
		expect(continued.items).toEqual([
			{ json: { error: message }, pairedItem: { item: 0 } },
			{ json: { error: message }, pairedItem: { item: 1 } },
		]);
		expect(harness.sandbox.recorder.requests).toEqual([]);
	});
});

describe('A token', () => {
	const fifty = reorder(batching(50));

	test.each([['private'], ['public']] as const)(
		'of a %s app that is revoked during 100 concurrent requests is renewed once',
		async (kind) => {
			harness.sandbox.faults.latency = 50;
			let reordered = 0;
			harness.sandbox.account.on('change', () => {
				reordered += 1;
				if (reordered === 20) harness.sandbox.oauth.revokeAccessTokens();
			});
			const publicAppTokens = kind === 'public' ? await harness.connectPublicApp() : undefined;
			const { error } = await harness.runNode(reorder(batching(100)), {
				items: reversals(),
				publicAppTokens,
			});
			expect(error).toBeUndefined();
			expect(harness.sandbox.recorder.grants).toBe(kind === 'public' ? 1 : 2);
			expect(seeds.map(({ id }) => order(id))).toEqual(reversals().map(({ ids }) => ids));
		},
	);

	test.each([['private'], ['public']] as const)(
		'of a %s app that another process renews is used, and not requested',
		async (kind) => {
			const tokens = await harness.connectPublicApp();
			const store = harness.newStore();
			const [type, reference, renewed] =
				kind === 'public'
					? ([
							'profilePageOAuth2Api',
							harness.addPublicApp(store, { ...tokens, access_token: 'old' }),
							{ oauthTokenData: tokens },
						] as const)
					: ([
							'profilePageApi',
							harness.addCredential(store, storedToken(harness.sandbox, { accessToken: 'old' })),
							storedToken(harness.sandbox, { accessToken: String(tokens.access_token) }),
						] as const);
			harness.sandbox.faults.latency = 100;
			const running = harness.runNode(fifty, {
				items: reversals(),
				store,
				reference,
				...(kind === 'public' && { publicAppTokens: tokens }),
			});
			await waitUntil(() => harness.sandbox.recorder.calls.length > 0);
			await store.updateCredentials(reference, type, { ...store.read(reference), ...renewed });
			expect((await running).error).toBeUndefined();
			expect(harness.sandbox.recorder.grants).toBe(0);
		},
	);
});

test('the credential is read for the first and the last item, and once more for a new token', async () => {
	const { store, reads } = harness.countingStore();
	const reference = harness.addCredential(store);
	await harness.runNode(reorder(), { items: reversals(), store, reference });
	expect(reads()).toBe(3);
	await harness.runNode(reorder(), { items: reversals(), store, reference });
	expect(reads()).toBe(5);
});

describe('When a request fails', () => {
	const LIST_BLOCKS = 'List every block on the page, each exactly once, and check the Page.';
	const failing = (page: number) =>
		harness.sandbox.faults.add({ page: pageId(page), fault: statusFault(400, 'Nope.') });

	test('no more are sent, requests in flight finish, and the error reports on all items', async () => {
		harness.sandbox.faults.latency = 30;
		failing(5);
		const { error } = await harness.runNode(reorder(batching(4)), { items: reversals(20) });
		const succeeded = 19 - Number(/; (\d+) were not processed$/.exec(error!.message)![1]);
		expect(error).toMatchObject({
			message: `The blocks of page "PAGE_5" were not reordered: the service rejected the request (400) – item 5 of 20 failed; ${19 - succeeded} were not processed`,
			description: `${LIST_BLOCKS} The service said: "Nope." Items are counted from 0.`,
			context: { itemIndex: 5 },
		});
		const changed = seeds.filter(({ id }) => order(id)[0] !== blockIds(id)[0]);
		expect(changed.map(({ id }) => id)).toEqual(
			Array.from({ length: succeeded + 1 }, (_, index) => pageId(index)).filter((id) => id !== pageId(5)),
		);
	});

	test('the error reports on the items of a page together', async () => {
		failing(1);
		const items = reversals(3).flatMap(({ page, ids }) => ids.map((id) => ({ page, id })));
		const parameters = reorder(batching(1), { blockOrder: 'inputItems' });
		const { error } = await harness.runNode(parameters, { items });
		expect(error!.message).toMatch(/ \(400\) – 3 of 9 items failed; 3 were not processed$/);
		expect(error!.description).toMatch(/"Nope\." Failed: items 3, 4, 5, counted from 0\.$/);
	});
});

describe('A response with the blocks of a page', () => {
	const response = (ids: string[]) => ({
		status: 200,
		body: JSON.stringify({ status: true, data: { blocks: ids.map((id) => ({ id })) } }),
	});
	const hintsOf = async (options: Parameters<Harness['runNode']>[1]) => {
		const outcome = await harness.runNode(reorder(), options);
		return { ...outcome, hints: outcome.hints.map(({ message }) => message) };
	};

	test.each([
		['as sent', (position: number) => position, 0],
		['as sent, but counted from one', (position: number) => position + 1, 0],
		['the opposite of those sent', (position: number) => 100 - position, 1],
	])('is compared by their positions, in whatever order they are listed: %s', async (_name, change, hints) => {
		const page = pageId(1);
		const blocks = blockIds(page)
			.reverse()
			.map((id, position) => ({ id, position: change(position) }))
			.reverse();
		const body = JSON.stringify({ status: true, data: { blocks } });
		harness.sandbox.faults.add({ page, fault: { status: 200, body } });
		const outcome = await hintsOf({ items: reversals(2) });
		expect(outcome.hints).toHaveLength(hints);
		expect(outcome.items.slice(3).map(({ json }) => json)).toEqual(blocks);
	});

	test.each([
		['without the first one', (ids: string[]) => ids.slice(1)],
		['with another one instead of the first', (ids: string[]) => [...ids.slice(1), 'x']],
	])('is returned with a hint that names the page if it has them %s', async (_name, change) => {
		const page = pageId(1);
		const ids = change(blockIds(page).reverse());
		harness.sandbox.faults.add({ page, fault: response(ids) });
		const { hints, items } = await hintsOf({ items: reversals(2) });
		expect(hints).toEqual([
			`The service accepted the order of page "${page}", but returned other blocks or another order. Check the page, and make sure that no other workflow changes it.`,
		]);
		expect(items.slice(3).map(({ json }) => json.id)).toEqual(ids);
	});

	test('shows no markup that a page ID contains', async () => {
		harness.sandbox.faults.add({ path: '/sort', fault: response(['x']) });
		const items = [{ page: '<img src=//evil.example> & more', ids: ['1'] }];
		expect((await hintsOf({ items })).hints).toEqual([
			expect.stringContaining('page "&lt;\u200Bimg src=//evil.example&gt; &amp; more"'),
		]);
	});

	test('shows a hint for each of three pages, and one summary for more', async () => {
		harness.sandbox.faults.add({ path: '/sort', fault: response(['x']) });
		expect((await hintsOf({ items: reversals(3) })).hints).toHaveLength(3);
		const { hints } = await hintsOf({ items: reversals(4) });
		expect(hints).toHaveLength(1);
		expect(hints[0]!.match(/The service accepted the order of page/g)).toHaveLength(3);
		expect(hints[0]).toMatch(/ More warnings like these: 1\.$/);
	});
});
