import type { INodeParameters } from 'n8n-workflow';

import { useHarness } from '../support/harness';
import { HOME, SHOP } from '../support/pages';

const harness = useHarness();
afterEach(() => jest.useRealTimers());

const order = (pageId: string) => harness.sandbox.account.order(pageId);

const reorder = (parameters: INodeParameters) => ({
	resource: 'blocks',
	operation: 'reorder',
	pageId: HOME,
	blockIds: order(HOME),
	...parameters,
});

/** Stops the date at a moment; timers keep running. */
function stopDate(moment: string): void {
	const now = Date.parse(moment);
	const timers = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const;
	const others = ['setImmediate', 'clearImmediate', 'nextTick', 'queueMicrotask'] as const;
	jest.useFakeTimers({ now, doNotFake: [...timers, ...others, 'hrtime', 'performance'] });
}

/** Runs the node, and returns the numbers of the blocks that it sent, by the order before. */
async function sent(parameters: INodeParameters, options = {}): Promise<number[]> {
	const before = order(HOME);
	const { error } = await harness.runNode(reorder({ blockIds: before, ...parameters }), options);
	expect(error).toBeUndefined();
	return order(HOME).map((id) => before.indexOf(id));
}

describe('Arrangement', () => {
	test('sends the order as listed unless it is set', async () => {
		expect(await sent({})).toEqual([0, 1, 2, 3]);
		expect(await sent({ arrangement: 'asListed' })).toEqual([0, 1, 2, 3]);
	});

	test('moves blocks to the top, in the order of Blocks to Move', async () => {
		const [, b, , d] = order(HOME);
		const blocksToMove = `${d}\n${b}`;
		expect(await sent({ arrangement: 'moveToTop', blocksToMove })).toEqual([3, 1, 0, 2]);
	});

	test('moves blocks to the bottom, in the order of Blocks to Move', async () => {
		const [a, b] = order(HOME);
		const blocksToMove = JSON.stringify([b, a]);
		expect(await sent({ arrangement: 'moveToBottom', blocksToMove })).toEqual([2, 3, 1, 0]);
	});

	test('accepts the result of an expression as Blocks to Move', async () => {
		const [, , c] = order(HOME);
		const parameters = { arrangement: 'moveToTop', blocksToMove: '={{ $json.moved }}' };
		expect(await sent(parameters, { items: [{ moved: [{ id: c }] }] })).toEqual([2, 0, 1, 3]);
	});

	test('reverses the order', async () => {
		expect(await sent({ arrangement: 'reverse' })).toEqual([3, 2, 1, 0]);
	});

	test('shuffles the order, so that runs differ', async () => {
		const before = order(HOME);
		const orders = new Set<string>();
		for (let run = 0; run < 12; run += 1) {
			await harness.runNode(reorder({ blockIds: before, arrangement: 'shuffle' }));
			expect([...order(HOME)].sort()).toEqual([...before].sort());
			orders.add(order(HOME).join());
		}
		expect(orders.size).toBeGreaterThan(1);
	});

	test('applies to From a Value', async () => {
		const blockIdsValue = order(HOME).join();
		const parameters = { blockOrder: 'value', blockIdsValue, arrangement: 'reverse' };
		expect(await sent(parameters)).toEqual([3, 2, 1, 0]);
	});

	test('applies to each page of From Input Items, with the fields of its first item', async () => {
		const [home, shop] = [order(HOME), order(SHOP)];
		const itemsOf = (page: string, ids: string[], first: object) =>
			ids.map((id, index) => ({ page, id, ...(index === 0 && first) }));
		const items = [
			...itemsOf(HOME, home, { top: home[2] }),
			...itemsOf(SHOP, shop, { top: [shop[6], shop[5]] }),
		];
		const { items: output } = await harness.runNode(
			reorder({
				pageId: '={{ $json.page }}',
				blockOrder: 'inputItems',
				arrangement: 'moveToTop',
				blocksToMove: '={{ $json.top }}',
			}),
			{ items },
		);
		expect(order(HOME)).toEqual([2, 0, 1, 3].map((index) => home[index]));
		expect(order(SHOP)).toEqual([6, 5, 0, 1, 2, 3, 4].map((index) => shop[index]));
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(
			[2, 0, 1, 3, 10, 9, 4, 5, 6, 7, 8].map((item) => ({ item })),
		);
	});

	test.each([
		[
			'is not in the order',
			(ids: string[]) => [ids[0], 'unknown.1'],
			/block "unknown\.1" is not in/,
		],
		['is given twice', (ids: string[]) => [ids[0], ids[0]], /is listed twice, as entries 1 and 2/],
	])('refuses a block to move that %s', async (_name, toMove, problem) => {
		const blocksToMove = toMove(order(HOME)).join();
		const { error } = await harness.runNode(reorder({ arrangement: 'moveToTop', blocksToMove }));
		harness.expectRefused(error, expect.stringMatching(problem));
		expect(error!.message).toMatch(/^Blocks to Move: /);
	});

	test.each([
		['a blank text', ' '],
		['an empty list', '={{ [] }}'],
	])('refuses %s as Blocks to Move', async (_name, blocksToMove) => {
		const { error } = await harness.runNode(reorder({ arrangement: 'moveToTop', blocksToMove }));
		harness.expectRefused(error, 'Blocks to Move: the list is empty');
	});

	test('ignores the fields of other arrangements', async () => {
		const parameters = { arrangement: 'reverse', blocksToMove: 'unknown', rotateBy: 'x' };
		expect(await sent(parameters)).toEqual([3, 2, 1, 0]);
	});

	test('refuses a choice that does not exist, also with Continue on Fail', async () => {
		const { error } = await harness.runNode(reorder({ arrangement: 'sideways' }));
		harness.expectRefused(error, 'Arrangement: "sideways" is not one of the options');
		const { items } = await harness.runNode(reorder({ arrangement: 'sideways' }), {
			settings: { onError: 'continueRegularOutput' },
		});
		expect(items[0]?.json.error).toMatch(/^Arrangement: "sideways" is not one of the options/);
	});
});

describe('Arrangement with Rotate', () => {
	const rotate = (rotateEvery?: string): INodeParameters => ({
		arrangement: 'rotate',
		...(rotateEvery && { rotateEvery }),
	});

	test.each([
		['hour', ['2026-11-21T10:00:00Z', '2026-11-21T10:59:59Z', '2026-11-21T11:00:00Z']],
		['day', ['2026-11-20T23:00:00Z', '2026-11-21T22:59:59Z', '2026-11-21T23:00:00Z']],
		['week', ['2026-11-15T23:00:00Z', '2026-11-22T22:59:59Z', '2026-11-22T23:00:00Z']],
		['month', ['2026-10-31T23:00:00Z', '2026-11-30T22:59:59Z', '2026-11-30T23:00:00Z']],
	])('begins one block further in the next %s of the workflow', async (every, moments) => {
		const before = order(HOME);
		const tops: number[] = [];
		for (const moment of moments) {
			stopDate(moment);
			const workflow = { timezone: 'Europe/Berlin' };
			await harness.runNode(reorder({ blockIds: before, ...rotate(every) }), { workflow });
			tops.push(before.indexOf(order(HOME)[0]!));
		}
		const [start = 0] = tops;
		expect(tops).toEqual([start, start, (start + 1) % before.length]);
	});

	test('rotates every day unless another period is chosen', async () => {
		stopDate('2026-11-21T12:00:00Z');
		const before = order(HOME);
		const daily = await sent({ blockIds: before, ...rotate('day') });
		await harness.runNode(reorder({ blockIds: before }));
		expect(await sent({ blockIds: before, ...rotate() })).toEqual(daily);
	});

	test.each([
		[1, [1, 2, 3, 0]],
		[-1, [3, 0, 1, 2]],
		[0, [0, 1, 2, 3]],
		['6', [2, 3, 0, 1]],
		['={{ $json.positions }}', [3, 0, 1, 2]],
	])('moves by %s positions', async (rotateBy, expected) => {
		const parameters = { arrangement: 'rotate', rotateEvery: 'custom', rotateBy };
		expect(await sent(parameters, { items: [{ positions: 3 }] })).toEqual(expected);
	});

	test.each([1.5, 'two', '={{ $json.missing }}'])('refuses %s as Positions', async (rotateBy) => {
		const parameters = { arrangement: 'rotate', rotateEvery: 'custom', rotateBy };
		const { error } = await harness.runNode(reorder(parameters));
		harness.expectRefused(error, 'Positions: the value must be a whole number');
	});

	test('refuses a period that does not exist', async () => {
		const { error } = await harness.runNode(reorder(rotate('fortnight')));
		harness.expectRefused(error, 'Rotate Every: "fortnight" is not one of the options');
	});
});

describe('Include Page ID', () => {
	const run = async (includePageId: unknown) =>
		await harness.runNode(reorder({ options: { includePageId } as INodeParameters }));

	test('adds the ID of its page to each block', async () => {
		const { items } = await run(true);
		expect(items.map(({ json }) => json.page_id)).toEqual([HOME, HOME, HOME, HOME]);
		expect(items[0]!.json).toMatchObject({ id: order(HOME)[0], position: 0 });
	});

	test('adds nothing if it is off or not added', async () => {
		const outputs = [await run(false), await harness.runNode(reorder({}))];
		for (const { items } of outputs) expect(items[0]!.json).not.toHaveProperty('page_id');
	});

	test('is refused if it is neither true nor false', async () => {
		const { error } = await run('perhaps');
		harness.expectRefused(error, 'Include Page ID: the value must be true or false');
	});
});
