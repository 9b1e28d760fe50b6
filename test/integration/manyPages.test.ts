import { setTimeout as wait } from 'node:timers/promises';

import type { INodeParameters } from 'n8n-workflow';

import { statusFault } from '../../sandbox/faults';
import type { PageSeed } from '../../sandbox/account';
import { Harness } from '../support/harness';
import { storedToken } from '../support/storedToken';

const PAGES = 120;
const pageId = (index: number) => `PAGE_${index}`;
const blockIds = (page: string) => [0, 1, 2].map((block) => `${page}.${block}`);

const seeds: PageSeed[] = Array.from({ length: PAGES }, (_, index) => ({
	id: pageId(index),
	blocks: blockIds(pageId(index)).map((id) => ({ id, type: 'BLOCK_TITLE' })),
}));

let harness: Harness;
beforeEach(async () => (harness = await Harness.open({ pages: seeds })));
afterEach(async () => await harness.close());

const order = (page: string) => harness.sandbox.account.order(page);

const reorder = (options: INodeParameters = {}, more: INodeParameters = {}): INodeParameters => ({
	resource: 'blocks',
	operation: 'reorder',
	pageId: '={{ $json.page }}',
	blockOrder: 'value',
	blockIdsValue: '={{ $json.ids }}',
	options,
	...more,
});

const batches = (batchSize: number, batchInterval = 0): INodeParameters => ({
	batching: { batch: { batchSize, batchInterval } },
});

/** An item for each page, which turns its order round. */
const reversals = (count = PAGES) =>
	seeds.slice(0, count).map(({ id }) => ({ page: id, ids: blockIds(id).reverse() }));

const sentPages = () => harness.sandbox.recorder.forms.map(({ page_id: pageId }) => pageId);

/** A slow machine may have fewer requests in flight than it may; it must never have more. */
function expectInFlight(most: number): void {
	const { mostInFlight } = harness.sandbox.recorder;
	expect(mostInFlight).toBeLessThanOrEqual(most);
	expect(mostInFlight).toBeGreaterThan(most / 2);
}

describe('Batching', () => {
	test('has ten requests in flight unless it is set', async () => {
		harness.sandbox.faults.latency = 50;
		await harness.runNode(reorder(), { items: reversals() });
		expectInFlight(10);
	});

	test.each([
		[1, 5],
		[4, 20],
		[50, 500],
		[1000, 500],
	])('has at most %p in flight', async (batchSize, latency) => {
		harness.sandbox.faults.latency = latency;
		const { items } = await harness.runNode(reorder(batches(batchSize)), { items: reversals() });
		expect(items).toHaveLength(3 * PAGES);
		expectInFlight(Math.min(batchSize, PAGES));
		expect(seeds.map(({ id }) => order(id))).toEqual(reversals().map(({ ids }) => ids));
	});

	test('puts out the blocks in the order of the items, whatever finished first', async () => {
		// The sooner an item stands, the later it is done.
		for (const [index, { id: page }] of seeds.slice(0, 5).entries()) {
			harness.sandbox.faults.add({ fault: statusFault(503), page, times: index === 0 ? 2 : 1 });
		}
		const items = reversals();
		const outcome = await harness.runNode(reorder(batches(PAGES)), { items });
		expect(outcome.items.map(({ json }) => json.id)).toEqual(items.flatMap(({ ids }) => ids));
		expect(outcome.items.map(({ pairedItem }) => pairedItem)).toEqual(
			items.flatMap((_, item) => [{ item }, { item }, { item }]),
		);
	});

	test('sends requests for one page one after another, so that the last item wins', async () => {
		harness.sandbox.faults.latency = 5;
		const [a = '', b = '', c = ''] = blockIds(pageId(0));
		const orders = [
			[b, a, c],
			[c, b, a],
			[a, c, b],
			[b, c, a],
		];
		const items = orders.flatMap((ids) => [{ page: pageId(0), ids }, ...reversals(9).slice(1)]);
		const outcome = await harness.runNode(reorder(batches(20)), { items });
		expect(harness.sandbox.recorder.hasOverlap).toBe(false);
		expect(order(pageId(0))).toEqual([b, c, a]);
		expect(outcome.items.map(({ json }) => json.id)).toEqual(items.flatMap(({ ids }) => ids));
	});

	test('with one request at a time, sends them in the order of the items', async () => {
		const pages = [3, 1, 3, 2, 1, 3].map(pageId);
		const items = pages.map((page) => ({ page, ids: blockIds(page) }));
		await harness.runNode(reorder(batches(1)), { items });
		expect(sentPages()).toEqual(pages);
	});

	test('rests between the batches for the Batch Interval', async () => {
		const sentAt: number[] = [];
		harness.sandbox.account.on('change', () => sentAt.push(Date.now()));
		await harness.runNode(reorder(batches(4, 300)), { items: reversals(12) });
		const gaps = sentAt.slice(1).map((time, index) => time - sentAt[index]!);
		expect(gaps).toHaveLength(11);
		expect(gaps.map((gap) => gap > 200)).toEqual(
			[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((next) => next % 4 === 0),
		);
	});

	test('is there for Get Info too', async () => {
		harness.sandbox.faults.latency = 20;
		const parameters = { resource: 'me', operation: 'getInfo', options: batches(3) };
		const { items } = await harness.runNode(parameters, {
			items: Array.from({ length: 7 }, () => ({})),
		});
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3, 4, 5, 6].map((item) => ({ item })),
		);
		expectInFlight(3);
	});
});

describe('options that are no whole numbers', () => {
	const WHOLE = 'it must be a whole number';
	test.each([
		[batches(0), `Items per Batch: ${WHOLE}, at least 1.`],
		[batches(-1), `Items per Batch: ${WHOLE}, at least 1.`],
		[batches(2.5), `Items per Batch: ${WHOLE}, at least 1.`],
		[batches(5, -1), `Batch Interval (ms): ${WHOLE}, from 0 to 86400000.`],
		[{ timeout: 0 }, `Timeout: ${WHOLE}, from 1 to 86400000.`],
		[{ timeout: '={{ "soon" }}' }, `Timeout: ${WHOLE}, from 1 to 86400000.`],
		[{ maxRetries: 11 }, `Max Retries: ${WHOLE}, from 0 to 10.`],
		[{ maxRetries: '={{ [] }}' }, `Max Retries: ${WHOLE}, from 0 to 10.`],
	])('%j are refused before anything is sent', async (options, message) => {
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

	test('but texts that hold one are taken', async () => {
		const { error } = await harness.runNode(reorder({ timeout: '={{ "5000" }}' }), {
			items: reversals(1),
		});
		expect(error).toBeUndefined();
	});
});

describe('a token', () => {
	const fifty = reorder(batches(50));

	test('that is missing costs one grant, and no call goes without it', async () => {
		await harness.runNode(fifty, { items: reversals() });
		expect(harness.sandbox.recorder.grants).toBe(1);
		expect(harness.sandbox.recorder.calls).toHaveLength(PAGES);
	});

	test('that has expired costs one grant, and no call goes with it', async () => {
		const { error } = await harness.runNode(fifty, {
			items: reversals(),
			credential: storedToken(harness.sandbox, { accessToken: 'expired', expiresIn: 0.001 }),
		});
		expect(error).toBeUndefined();
		expect(harness.sandbox.recorder.grants).toBe(1);
		expect(harness.sandbox.recorder.calls).toHaveLength(PAGES);
	});

	test('that was revoked costs one grant, and each call is refused at most once', async () => {
		const { error } = await harness.runNode(fifty, {
			items: reversals(),
			credential: storedToken(harness.sandbox, { accessToken: 'revoked' }),
		});
		expect(error).toBeUndefined();
		expect(harness.sandbox.recorder.grants).toBe(1);
		expect(harness.sandbox.recorder.calls.length).toBeLessThanOrEqual(PAGES + 50);
	});

	test.each([['private'], ['public']] as const)(
		'of a %s app that is revoked amid 100 parallel requests costs one grant',
		async (kind) => {
			harness.sandbox.faults.latency = 50;
			let reordered = 0;
			harness.sandbox.account.on('change', () => {
				reordered += 1;
				if (reordered === 20) harness.sandbox.oauth.revokeAll();
			});
			const publicAppTokens = kind === 'public' ? await harness.connectPublicApp() : undefined;
			const { error } = await harness.runNode(reorder(batches(100)), {
				items: reversals(),
				publicAppTokens,
			});
			expect(error).toBeUndefined();
			expect(harness.sandbox.recorder.grants).toBe(kind === 'public' ? 1 : 2);
			expect(seeds.map(({ id }) => order(id))).toEqual(reversals().map(({ ids }) => ids));
		},
	);

	test.each([['private'], ['public']] as const)(
		'of a %s app that another process has renewed meanwhile is used, and costs none',
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
			harness.sandbox.faults.latency = 200;
			const running = harness.runNode(fifty, {
				items: reversals(),
				store,
				reference,
				...(kind === 'public' && { publicAppTokens: tokens }),
			});
			while (harness.sandbox.recorder.calls.length === 0) await wait(5);
			await store.updateCredentials(reference, type, { ...store.read(reference), ...renewed });
			expect((await running).error).toBeUndefined();
			expect(harness.sandbox.recorder.grants).toBe(0);
		},
	);

	test('that is revoked while the token endpoint fails for a moment costs no item', async () => {
		harness.sandbox.faults.latency = 50;
		harness.sandbox.account.once('change', () => {
			harness.sandbox.oauth.revokeAll();
			harness.sandbox.faults.add({ path: '/token', fault: statusFault(503), times: 3 });
		});
		const { error } = await harness.runNode(reorder({ ...batches(30), maxRetries: 4 }), {
			items: reversals(),
		});
		expect(error).toBeUndefined();
		expect(seeds.map(({ id }) => order(id))).toEqual(reversals().map(({ ids }) => ids));
		// The first one, three that failed, and the one that served all.
		expect(harness.sandbox.recorder.grants).toBe(5);
	});

	test('that the service does not give is asked for once, for all items', async () => {
		harness.sandbox.faults.add({ path: '/token', fault: statusFault(401, 'No such app.') });
		const { items } = await harness.runNode(fifty, {
			items: reversals(),
			settings: { onError: 'continueRegularOutput' },
		});
		expect(items).toHaveLength(PAGES);
		for (const { json } of items) expect(json.error).toContain('refused the Client ID');
		expect(harness.sandbox.recorder.requests).toHaveLength(1);
	});

	test('that is refused although it is new is not fetched again for each item', async () => {
		harness.sandbox.faults.add({ path: '/sort', fault: statusFault(401, 'Withdrawn.') });
		const { items } = await harness.runNode(fifty, {
			items: reversals(),
			settings: { onError: 'continueRegularOutput' },
			credential: storedToken(harness.sandbox, { accessToken: 'old' }),
		});
		expect(items).toHaveLength(PAGES);
		for (const { json } of items) expect(json.error).toContain('Withdrawn.');
		expect(harness.sandbox.recorder.grants).toBe(1);
	});
});

test('the credential is read once, and once more for a new token', async () => {
	const { store, reads } = harness.countingStore();
	const reference = harness.addCredential(store);
	await harness.runNode(reorder(), { items: reversals(), store, reference });
	expect(reads()).toBe(2);
	await harness.runNode(reorder(), { items: reversals(), store, reference });
	expect(reads()).toBe(3);
});

describe('when a request fails', () => {
	const failing = (page: number) =>
		harness.sandbox.faults.add({ page: pageId(page), fault: statusFault(400, 'Nope.') });

	test('nothing new is sent, requests in flight are finished, and the message accounts for all', async () => {
		harness.sandbox.faults.latency = 30;
		failing(5);
		const { error } = await harness.runNode(reorder(batches(4)), { items: reversals(20) });
		expect(error!.message).toMatch(
			/The service said: "Nope\." Done: items 0–4, 6(–\d+)?; failed: item 5; not sent: items \d+–19 \(of 20, counted from 0\)\.$/,
		);
		expect(error).toMatchObject({ context: { itemIndex: 5 } });
		const done = /Done: items 0–4, 6(?:–(\d+))?;/.exec(error!.message)!;
		const last = Number(done[1] ?? 6);
		expect(error!.message).toContain(`not sent: items ${last + 1}–19`);
		const changed = seeds.filter(({ id }) => order(id)[0] !== blockIds(id)[0]);
		expect(changed.map(({ id }) => id)).toEqual(
			Array.from({ length: last + 1 }, (_, index) => pageId(index)).filter(
				(id) => id !== pageId(5),
			),
		);
	});

	test('with one request at a time, nothing is sent after it', async () => {
		failing(0);
		const { error } = await harness.runNode(reorder(batches(1)), { items: reversals(20) });
		expect(error!.message).toContain('Failed: item 0; not sent: items 1–19 (of 20');
		expect(harness.sandbox.recorder.calls).toHaveLength(1);
	});

	test('a single request has nothing to account for', async () => {
		failing(0);
		const { error } = await harness.runNode(reorder(), { items: reversals(1) });
		expect(error!.message).toMatch(/The service said: "Nope\."$/);
	});

	test('items of a page are accounted for together', async () => {
		failing(1);
		const items = reversals(3).flatMap(({ page, ids }) => ids.map((id) => ({ page, id })));
		const parameters = reorder(batches(1), { blockOrder: 'inputItems' });
		const { error } = await harness.runNode(parameters, { items });
		expect(error!.message).toContain(
			'Done: items 0–2; failed: items 3–5; not sent: items 6–8 (of 9, counted from 0).',
		);
	});

	test('with Continue on Fail, every item has its result or its error', async () => {
		for (const page of [0, 7, 8, 119]) failing(page);
		const { items } = await harness.runNode(reorder(batches(7)), {
			items: reversals(),
			settings: { onError: 'continueRegularOutput' },
		});
		const perItem = new Map<number, number>();
		for (const { json, pairedItem } of items) {
			const { item } = pairedItem as { item: number };
			perItem.set(item, (perItem.get(item) ?? 0) + 1);
			expect(Boolean(json.error)).toBe([0, 7, 8, 119].includes(item));
			if (json.error) expect(json.error).not.toContain('not sent');
		}
		expect([...perItem.entries()]).toEqual(
			seeds.map((_, item) => [item, [0, 7, 8, 119].includes(item) ? 1 : 3]),
		);
	});
});

describe('blocks that come back', () => {
	const answer = (ids: string[]) => ({
		status: 200,
		body: JSON.stringify({ status: true, data: { blocks: ids.map((id) => ({ id })) } }),
	});
	const hintsOf = async (options: Parameters<Harness['runNode']>[1]) => {
		const outcome = await harness.runNode(reorder(), options);
		return { ...outcome, hints: outcome.hints.map(({ message }) => message) };
	};

	test('as they were sent are no matter', async () => {
		expect((await hintsOf({ items: reversals(3) })).hints).toEqual([]);
	});

	test.each([
		['in another order', (ids: string[]) => ids.toReversed()],
		['less the first', (ids: string[]) => ids.slice(1)],
		['less the last', (ids: string[]) => ids.slice(0, -1)],
		['and one more', (ids: string[]) => [...ids, 'x']],
		['with another one', (ids: string[]) => [...ids.slice(1), 'x']],
	])('%s are passed on, with a hint that names the page', async (_what, change) => {
		const page = pageId(1);
		const ids = change(blockIds(page).reverse());
		harness.sandbox.faults.add({ page, fault: answer(ids) });
		const { hints, items } = await hintsOf({ items: reversals(2) });
		expect(hints).toEqual([
			`The service accepted the order of page "${page}", but its answer has other blocks, or another order. Look at the page, and see that no other workflow changes it.`,
		]);
		expect(items.slice(3).map(({ json }) => json.id)).toEqual(ids);
	});

	test('otherwise for many pages give few hints', async () => {
		harness.sandbox.faults.add({ path: '/sort', fault: answer(['x']) });
		const { hints } = await hintsOf({ items: reversals(30) });
		expect(hints).toHaveLength(6);
		expect(hints[5]).toBe('The same is true of 25 more.');
	});
});
