import type { INodeParameters } from 'n8n-workflow';

import { jsonResponse } from '../../sandbox/faults';
import { stopDate } from '../support/dates';
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
		const blockIdsToMove = `${d}\n${b}`;
		expect(await sent({ arrangement: 'moveToTop', blockIdsToMove })).toEqual([3, 1, 0, 2]);
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

	test('applies to each page of From Input Items, with the fields of its first item', async () => {
		const [home, shop] = [order(HOME), order(SHOP)];
		const itemsOf = (page: string, ids: string[], first: object) =>
			ids.map((id, index) => ({ page, id, ...(index === 0 && first) }));
		const items = [...itemsOf(HOME, home, { top: home[2] }), ...itemsOf(SHOP, shop, { top: [shop[6], shop[5]] })];
		const { items: output } = await harness.runNode(
			reorder({
				pageId: '={{ $json.page }}',
				blockOrder: 'inputItems',
				arrangement: 'moveToTop',
				blockIdsToMove: '={{ $json.top }}',
			}),
			{ items },
		);
		expect(order(HOME)).toEqual([2, 0, 1, 3].map((index) => home[index]));
		expect(order(SHOP)).toEqual([6, 5, 0, 1, 2, 3, 4, 7].map((index) => shop[index]));
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(
			[2, 0, 1, 3, 10, 9, 4, 5, 6, 7, 8, 11].map((item) => ({ item })),
		);
	});

	test.each([
		[
			'is not in the order',
			(ids: string[]) => [ids[0], 'unknown.1'],
			/^Blocks to Move: no block of the order of page ".*" is called "unknown\.1"$/,
			expect.stringMatching(/^It has: block "65f\S+", block "65f/),
		],
		[
			'is given twice',
			(ids: string[]) => [ids[0], ids[0]],
			/^Blocks to Move: block ".*" is listed twice, as entries 1 and 2$/,
			'List each block once.',
		],
	])('refuses a block to move that %s', async (_name, toMove, problem, advice) => {
		const blockIdsToMove = toMove(order(HOME)).join();
		const { error } = await harness.runNode(reorder({ arrangement: 'moveToTop', blockIdsToMove }));
		harness.expectRefused(error, expect.stringMatching(problem), advice);
	});

	test.each([['an empty list', '={{ [] }}']])('refuses %s as Blocks to Move', async (_name, blockIdsToMove) => {
		const { error } = await harness.runNode(reorder({ arrangement: 'moveToTop', blockIdsToMove }));
		harness.expectRefused(error, 'Blocks to Move: the list is empty');
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

	test.each([
		[1, [1, 2, 3, 0]],
		['6', [2, 3, 0, 1]],
		['={{ $json.positions }}', [3, 0, 1, 2]],
	])('moves by %s positions', async (rotateBy, expected) => {
		const parameters = { arrangement: 'rotate', rotateEvery: 'custom', rotateBy };
		expect(await sent(parameters, { items: [{ positions: 3 }] })).toEqual(expected);
	});

	test.each([1.5, 'two', '={{ $json.missing }}'])('refuses %s as Rotate By', async (rotateBy) => {
		const parameters = { arrangement: 'rotate', rotateEvery: 'custom', rotateBy };
		const { error } = await harness.runNode(reorder(parameters));
		harness.expectRefused(error, 'Rotate By: the value must be a whole number');
	});
});

describe('Rotation Start', () => {
	const rotateFrom = (value: unknown, rotateEvery = 'week') =>
		({ arrangement: 'rotate', rotateEvery, rotateFrom: value }) as INodeParameters;
	const workflow = { timezone: 'America/New_York' };

	test.each([
		['the period that contains it', '2026-11-23T05:00:00Z', '2026-11-29', [0, 1, 2, 3]],
		['the period after it', '2026-11-30T05:00:00Z', '2026-11-29', [1, 2, 3, 0]],
		['a period five after it', '2026-12-28T05:00:00Z', '2026-11-23 00:00', [1, 2, 3, 0]],
	])('gives the order of %s', async (_name, now, start, expected) => {
		stopDate(now);
		expect(await sent(rotateFrom(start), { workflow })).toEqual(expected);
	});

	test('may come from an expression, and counts as not set if that returns an empty text', async () => {
		stopDate('2026-11-30T12:00:00Z');
		const before = order(HOME);
		const without = await sent({ blockIds: before, ...rotateFrom('') });
		await harness.runNode(reorder({ blockIds: before }));
		const parameters = { blockIds: before, ...rotateFrom('={{ $json.from }}') };
		expect(await sent(parameters, { items: [{ from: '  ' }] })).toEqual(without);
		await harness.runNode(reorder({ blockIds: before }));
		expect(await sent(parameters, { items: [{ from: '2026-11-24' }] })).toEqual([1, 2, 3, 0]);
	});

	test.each([
		['next Monday', '"next Monday" is not a date and time'],
		['={{ $json.missing }}', 'the expression returns no value'],
		['={{ $json.day }} {{ $json.time }}', 'the expression returns no value'],
	])('is refused by its name if it is %s', async (value, problem) => {
		const { error } = await harness.runNode(reorder(rotateFrom(value)));
		harness.expectRefused(error, `Rotation Start: ${problem}`);
	});
});

describe('The hint of a rotation', () => {
	const workflow = { timezone: 'America/New_York' };
	const hintsOf = async (parameters: INodeParameters, options = {}) => {
		const { hints } = await harness.runNode(
			reorder({ arrangement: 'rotate', rotateFrom: '2026-11-23', ...parameters }),
			{ workflow, ...options },
		);
		return hints.map(({ message, type }) => [type, message]);
	};

	test.each([
		['week', 'this week', 'Monday, 7 December', 'Monday, 14 December'],
		['day', 'today', 'Wednesday, 2 December', 'Thursday, 3 December'],
		['hour', 'this hour', 'Tuesday, 1 December, 13:00', 'Tuesday, 1 December, 14:00'],
		['month', 'this month', 'Friday, 1 January', 'Monday, 1 February'],
	])(
		'names the block on top, and the next two with their dates (%s)',
		async (rotateEvery, present, next, afterNext) => {
			stopDate('2026-12-01T17:30:00Z');
			const before = order(HOME);
			const hints = await hintsOf({ rotateEvery, rotateFrom: '2026-11-22T01:00' });
			const [top, second, third] = order(HOME);
			expect(top).not.toBe(before[0]);
			const expected = `On top of page "${HOME}" ${present}: block "${top}". From ${next}: block "${second}". From ${afterNext}: block "${third}".`;
			expect(hints).toEqual([['info', expected]]);
		},
	);

	test('says if the order is the listed one, so that nothing seems to move', async () => {
		stopDate('2026-11-25T17:30:00Z');
		const [[, message] = []] = await hintsOf({ rotateEvery: 'week' });
		const expected = `On top of page "${HOME}" this week: block "${order(HOME)[0]}". This is the order as listed. From Monday, 30 November: `;
		expect(message).toContain(expected);
	});

	test('says if Rotation Start is still to come, so that the order is counted back from it', async () => {
		stopDate('2026-11-25T17:30:00Z');
		const [[, message] = []] = await hintsOf({ rotateEvery: 'week', rotateFrom: '2026-11-30' });
		const [[, present] = []] = await hintsOf({ rotateEvery: 'week', rotateFrom: '2026-11-23' });
		expect(message).toMatch(/Rotation Start is still to come: until then, the rotation counts back from it\.$/);
		expect(present).not.toContain('Rotation Start');
	});

	test('names no next change if there is none', async () => {
		const [, second] = order(HOME);
		expect(await hintsOf({ rotateEvery: 'custom', rotateBy: 1 })).toEqual([
			['info', `On top of page "${HOME}": block "${second}".`],
		]);
	});

	test('gives way to the warning that the service returned another order', async () => {
		const blocks = order(HOME).map((id, position) => ({ id, position }));
		const body = { status: true, errors: [], data: { blocks: blocks.toReversed().slice(1) } };
		harness.sandbox.faults.add({ path: '/oauth/v1/page/blocks/sort', fault: jsonResponse(body) });
		const hints = await hintsOf({});
		expect(hints).toEqual([['warning', expect.stringContaining('returned other blocks')]]);
	});

	test('is not shown for other arrangements, and only for five of many pages', async () => {
		expect(await hintsOf({ arrangement: 'reverse' })).toEqual([]);
		stopDate('2026-12-01T17:30:00Z');
		const pages = Array.from({ length: 7 }, (_, page) => ({ page: `PAGE_${page}` }));
		harness.sandbox.faults.add({
			path: '/oauth/v1/page/blocks/sort',
			fault: jsonResponse({ status: true, data: { blocks: [{ id: 'b' }, { id: 'a' }] } }),
		});
		const parameters = { pageId: '={{ $json.page }}', blockIds: ['a', 'b'], rotateEvery: 'week' };
		const hints = await hintsOf(parameters, { items: pages });
		expect(hints).toHaveLength(6);
		expect(hints[5]).toEqual(['info', 'More notes like these: 2.']);
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

	test.each(['={{ $json.missing }}', '={{ null }}'])(
		'is refused if its expression returns nothing (%s)',
		async (value) => {
			const { error } = await run(value);
			harness.expectRefused(error, 'Include Page ID: the expression returns no value');
		},
	);
});
