import { setTimeout as wait } from 'node:timers/promises';

import type { INode, INodeParameters } from 'n8n-workflow';

import type * as client from '../../nodes/ProfilePage/service/client';
import { type Fault, jsonResponse, statusFault } from '../../sandbox/faults';
import { useHarness } from '../support/harness';
import { pageSeed } from '../support/pages';
import { batching, GET_INFO, REORDER_EACH_ITEM } from '../support/parameters';
import { storedToken } from '../support/storedToken';
import { waitUntil } from '../support/waitUntil';

const { Client } = jest.requireActual<typeof client>('../../dist/nodes/ProfilePage/service/client');

const PAGES = 100;
const pageId = (index: number) => `PAGE_${index}`;
const blockIds = (page: string) => [0, 1, 2].map((block) => `${page}.${block}`);

const seeds = Array.from({ length: PAGES }, (_, index) => pageSeed(pageId(index), blockIds(pageId(index))));

const harness = useHarness({ pages: seeds });
afterEach(() => jest.restoreAllMocks());

const order = (page: string) => harness.sandbox.account.order(page);

const reorder = (options: INodeParameters = {}, more: INodeParameters = {}): INodeParameters => ({
	...REORDER_EACH_ITEM,
	options,
	...more,
});

/** An item for each page, which reverses the order of its blocks. */
const reversals = (count = PAGES) => seeds.slice(0, count).map(({ id }) => ({ page: id, ids: blockIds(id).reverse() }));

/** The indexes of the pages that were reordered. */
const reorderedPages = () => [...seeds.keys()].filter((index) => order(pageId(index))[0] !== `${pageId(index)}.0`);

/** Makes the service never answer for pages. */
function hangFor(pages: readonly number[]): void {
	for (const page of pages) harness.sandbox.faults.add({ page: pageId(page), fault: 'hang' });
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

describe('Batching', () => {
	test.each([
		[1, batching(1)],
		[4, batching(4)],
		[50, {}],
	])('sends as many requests concurrently as Items per Batch: %p, with the options %j', async (batchSize, options) => {
		// From ten on, each answer lets one more be in flight.
		let answers = Math.max(5, batchSize - 5);
		harness.sandbox.faults.add({ path: '/sort', fault: 'hang', when: () => (answers -= 1) < 0 });
		const { recorder } = harness.sandbox;
		const controller = new AbortController();
		const running = harness.runNode(reorder(options), { items: reversals(), signal: controller.signal });
		await waitUntil(() => recorder.inFlight === batchSize);
		await wait(50);
		controller.abort();
		await running;
		expect(recorder.mostInFlight).toBe(batchSize);
	});
});

describe('Options that must be whole numbers', () => {
	const WHOLE = 'the value must be a whole number';
	test.each([
		[batching(0), `Items per Batch: ${WHOLE}, at least 1`],
		[batching(2.5), `Items per Batch: ${WHOLE}, at least 1`],
		[{ timeout: 0 }, `Timeout (ms): ${WHOLE}, from 1 to 86400000`],
		[{ maxRetries: 11 }, `Max Retries: ${WHOLE}, from 0 to 10`],
	])('are rejected before anything is sent if they are %j', async (options, message) => {
		const { error } = await harness.runNode(reorder(options), { items: reversals(2) });
		expect(error).toMatchObject({ name: 'NodeOperationError', message });
		const settings: Partial<INode> = { onError: 'continueRegularOutput' };
		const continued = await harness.runNode(reorder(options), { items: reversals(2), settings });
		expect(continued.items).toEqual([0, 1].map((item) => ({ json: { error: message }, pairedItem: { item } })));
		expect(harness.sandbox.recorder.requests).toEqual([]);
	});
});

describe('An invalid item stops the node before anything is sent', () => {
	const create = { resource: 'links', operation: 'create', title: 'A', url: '={{ $json.value }}' };
	const post = { resource: 'api', operation: 'request', method: 'POST', path: '={{ $json.value }}' };
	const order = {
		resource: 'blocks',
		operation: 'reorder',
		blockIds: 'a',
		pageId: '={{ $json.value }}',
	};

	test.each([
		['URL: "example" is not a web address', create, ['https://example.com', 'example']],
		['Path: the request would not go to the Base URL of the credential, http:', post, ['/a', 'https://example.com']],
		['Page: the value contains an invisible character (U+200B)', order, ['PAGE_1', 'PAGE\u200B_2']],
	])('%s', async (message, parameters, values) => {
		const items = values.map((value) => ({ value }));
		const { error } = await harness.runNode(parameters, { items });
		expect(error!.message.slice(0, message.length)).toBe(message);
		expect(error!.message).toMatch(/ – item 1 of 2 failed; 1 was not processed$/);
		expect(error!.description).toMatch(/Items are counted from 0\.$/);
		expect(error!.context.itemIndex).toBe(1);
		expect(harness.sandbox.recorder.requests).toEqual([]);
	});

	test.each(['clientId', 'clientSecret'] as const)(
		'also an empty %s, though the first item has a token',
		async (field) => {
			const items = [{ value: harness.sandbox[field] }, {}];
			const credential = { ...storedToken(harness.sandbox, { accessToken: 'a-token' }), [field]: '={{ $json.value }}' };
			const { error } = await harness.runNode({ ...create, url: 'https://example.com' }, { items, credential });
			expect(error!.message).toMatch(/^Client (ID|Secret): the value is empty$/);
			expect(harness.sandbox.recorder.requests).toEqual([]);
		},
	);
});

test('The credential is read for the first and the last item, and once more for a new token', async () => {
	const account = harness.newAccount();
	const read = jest.spyOn(account.store, 'getDecrypted');
	for (const reads of [3, 5]) {
		await harness.runNode(GET_INFO, { items: range(0, 10).map((index) => ({ index })), ...account });
		expect(read).toHaveBeenCalledTimes(reads);
	}
});

describe('When a request fails', () => {
	const LIST_BLOCKS =
		'List every block on the page, each exactly once, and check the Page: to enter its name, set Page to Name.';
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
		expect(reorderedPages()).toEqual(range(0, succeeded + 1).filter((page) => page !== 5));
	});

	test('the error reports on the items of a page together', async () => {
		failing(1);
		const items = reversals(3).flatMap(({ page, ids }) => ids.map((id) => ({ page, id })));
		const parameters = reorder(batching(1), { blockOrder: 'inputItems' });
		const { error } = await harness.runNode(parameters, { items });
		expect(error!.message).toMatch(/ \(400\) – 3 of 9 items failed; 3 were not processed$/);
		expect(error!.description).toMatch(/"Nope\." Items are counted from 0\.$/);
	});

	test('and the node continues on fail, a warning says how many failed, and why the first did', async () => {
		for (const page of [1, 3]) failing(page);
		const settings = { onError: 'continueRegularOutput' } as const;
		const { hints } = await harness.runNode(reorder(), { items: reversals(4), settings });
		expect(hints.map(({ message }) => message)).toEqual([
			'2 of 4 items failed. Item 1: The blocks of page "PAGE_1" were not reordered: the service rejected the request (400).',
		]);
		const single = await harness.runNode(reorder(), { items: reversals(2).slice(1), settings });
		expect(single.hints).toEqual([]);
	});

	test.each<[string, Fault, string | undefined]>([
		['names the others if their outcome is unknown', 'lost', ' Unknown outcome: items 1, 2, 3. Look at your profile'],
		['says of none that it is unknown if they are rejected too', statusFault(400), undefined],
	])('and others at the same time, the error %s', async (_what, fault, unknown) => {
		failing(0);
		for (const page of [1, 2, 3]) harness.sandbox.faults.add({ page: pageId(page), fault, latency: 50 });
		const { error } = await harness.runNode(reorder({ maxRetries: 0 }), { items: reversals(4) });
		expect(error!.message).toMatch(/ \(400\) – 4 of 4 items failed$/);
		if (unknown) expect(error!.description).toContain(unknown);
		else expect(error!.description).not.toContain('Unknown outcome');
	});

	test('in this package, its outcome is unknown, and the node ends before others are sent', async () => {
		jest.spyOn(Client.prototype, 'request').mockRejectedValueOnce(new Error('The database is locked'));
		const create = { resource: 'links', operation: 'create', title: 'a', url: 'https://example.com' };
		const { error } = await harness.runNode(create, { items: [{}, {}, {}] });
		expect(error?.message).toBe(
			'It is unknown whether the link "a" was created: The database is locked – item 0 of 3 failed; 2 were not processed',
		);
		expect(harness.sandbox.recorder.calls).toEqual([]);
	});
});

describe('A response with the blocks of a page', () => {
	async function respondWith(page: string, blocks: INodeParameters[], items: INodeParameters[] = reversals(2)) {
		const fault = jsonResponse({ status: true, data: { blocks } });
		harness.sandbox.faults.add({ page, fault });
		const outcome = await harness.runNode(reorder(), { items });
		expect([outcome.error, harness.sandbox.recorder.calls.length]).toEqual([undefined, items.length]);
		return { hints: outcome.hints.map(({ message }) => message), items: outcome.items };
	}
	const page = pageId(1);
	const reversed = blockIds(page).reverse();
	const OTHER = `The service accepted the order of page "${page}", but returned other blocks or another order. Check the page, and make sure that no other workflow changes it.`;

	test.each<[string, (position: number) => INodeParameters[string], string[]]>([
		['as sent', (position) => position, []],
		['as sent, but counted from one', (position) => position + 1, []],
		['the opposite of those sent', (position) => 100 - position, [OTHER]],
		['of another type', () => ({ valueOf: 1, toString: 1 }), [OTHER]],
	])('is compared by their positions, in whatever order they are listed: %s', async (_name, change, warnings) => {
		const blocks = reversed.map((id, position) => ({ id, position: change(position) })).reverse();
		const { hints, items } = await respondWith(page, blocks);
		expect(hints).toEqual(warnings);
		expect(items.slice(3).map(({ json }) => json)).toMatchObject(blocks);
	});

	test.each([
		['without the first one', reversed.slice(1)],
		['with another one instead of the first', [...reversed.slice(1), 'x']],
	])('is returned with a hint that names the page if it has them %s', async (_name, ids) => {
		const { hints, items } = await respondWith(
			page,
			ids.map((id) => ({ id })),
		);
		expect(hints).toEqual([OTHER]);
		expect(items.slice(3).map(({ json }) => json.id)).toEqual(ids);
	});

	test('shows no markup that a page ID contains', async () => {
		const name = '<img src=//evil.example> & more';
		const { hints } = await respondWith(name, [{ id: 'x' }], [{ page: name, ids: ['1'] }]);
		expect(hints).toEqual([expect.stringContaining('page "&lt;\u200Bimg src=//evil.example&gt; &amp; more"')]);
	});

	test('shows a hint for each of three pages, and how many more there are', async () => {
		const fault = jsonResponse({ status: true, data: { blocks: [{ id: 'x' }] } });
		harness.sandbox.faults.add({ path: '/sort', fault });
		const hintsFor = async (count: number) => (await harness.runNode(reorder(), { items: reversals(count) })).hints;
		expect(await hintsFor(3)).toHaveLength(3);
		const more = await hintsFor(5);
		expect(more).toHaveLength(4);
		expect(more[3]!.message).toBe('More messages like these: 2.');
	});
});

describe('Canceling an execution', () => {
	const COUNT = 12;

	/** Reorders some pages, and cancels the execution shortly after the condition becomes true. */
	async function cancelWhen(condition: () => boolean, options: INodeParameters, onError?: INode['onError']) {
		const controller = new AbortController();
		const more = { items: reversals(COUNT), signal: controller.signal, settings: { onError } };
		const running = harness.runNode(reorder(options), more);
		await waitUntil(condition);
		await wait(50);
		const sent = harness.sandbox.recorder.requests.length;
		const canceledAt = Date.now();
		controller.abort();
		const outcome = await running;
		expect(Date.now() - canceledAt).toBeLessThan(1000);
		expect(outcome.run.status).toBe('canceled');
		await wait(50);
		expect(harness.sandbox.recorder.requests).toHaveLength(sent);
		return outcome;
	}

	test('aborts the requests in flight and sends no more', async () => {
		hangFor(range(2, COUNT));
		const { error } = await cancelWhen(() => harness.sandbox.recorder.inFlight === 3, batching(3));
		expect(harness.sandbox.recorder.inFlight).toBe(0);
		expect(reorderedPages()).toEqual([0, 1]);
		expect(error).toMatchObject({
			message: 'The execution was canceled – 3 of 12 items failed; 7 were not processed',
			description:
				'Items are counted from 0. Unknown outcome: items 2, 3, 4. Look at your profile before you run the workflow again.',
		});
	});

	test.each([
		[
			'a single link',
			{ resource: 'links', operation: 'create', title: 'a', url: 'https://example.org' },
			'Unknown outcome: item 0. Look at your profile before you run the workflow again.',
		],
		['the profile info', GET_INFO, undefined],
	])('says for %s in flight what became of it', async (_name, parameters, description) => {
		harness.sandbox.faults.add({ fault: 'hang', path: parameters === GET_INFO ? '/me' : '/add' });
		const controller = new AbortController();
		const running = harness.runNode(parameters, { signal: controller.signal });
		await waitUntil(() => harness.sandbox.recorder.calls.length === 1);
		controller.abort();
		expect((await running).error).toMatchObject({ message: 'The execution was canceled', description });
	});

	test('ends the wait before a retry', async () => {
		const fault = statusFault(503, '', { 'retry-after': '60' });
		harness.sandbox.faults.add({ page: pageId(3), fault });
		const { error } = await cancelWhen(() => reorderedPages().length === 11, {});
		expect(error).toMatchObject({
			message: 'The execution was canceled – item 3 of 12 failed',
			description:
				'Items are counted from 0. Unknown outcome: item 3. Look at your profile before you run the workflow again.',
		});
	});

	test('does not abort a token request that another execution waits for', async () => {
		harness.sandbox.faults.latency = 200;
		const account = harness.newAccount();
		const controller = new AbortController();
		const running = harness.runNode(GET_INFO, { ...account, signal: controller.signal });
		await waitUntil(() => harness.sandbox.recorder.grants > 0);
		const other = harness.runNode(GET_INFO, account);
		await wait(50);
		controller.abort();
		expect((await running).run.status).toBe('canceled');
		expect((await other).items).toHaveLength(1);
		expect(harness.sandbox.recorder.grants).toBe(1);
	});

	test('returns no error items for requests that were not sent, even with Continue on Fail; ten were, as none had succeeded', async () => {
		hangFor(range(0, COUNT));
		const { items } = await cancelWhen(() => harness.sandbox.recorder.inFlight === 10, {}, 'continueRegularOutput');
		expect(harness.sandbox.recorder.mostInFlight).toBe(10);
		expect(items.filter(({ json }) => json.error)).toEqual([]);
	});
});
