import type { INodeExecutionData } from 'n8n-workflow';

import { arrangements } from '../../../../nodes/ProfilePage/resources/blocks/arrangement';
import { itemOf, itemsOf } from '../../../support/items';

const BLOCKS = ['a', 'b', 'c'];

/** Returns the blocks, rotated by the day, in a run of the node with these input items. */
const rotateAll = (input: INodeExecutionData[], timeZone = 'UTC') =>
	itemsOf({ input, context: { getTimezone: () => timeZone } }).map((item) => arrangements.rotate(BLOCKS, item));

afterEach(() => jest.useRealTimers());

test('The arrangement is the same for all items and tries, though midnight passes while they are read', () => {
	jest.useFakeTimers({ now: Date.parse('2026-11-21T23:59:59.999Z') });
	const input = [{ json: {} }, { json: {} }];
	const [item, other] = itemsOf({ input, context: { getTimezone: () => 'UTC' } });
	const first = arrangements.rotate(BLOCKS, item!);
	jest.advanceTimersByTime(1);
	expect(arrangements.rotate(BLOCKS, other!)).toEqual(first);
	expect(rotateAll(input)).toEqual([first, first]);
	expect(rotateAll([{ json: {} }])).not.toContainEqual(first);
});

test('A time zone that n8n does not know is refused', () => {
	expect(() => rotateAll([{ json: {} }], 'Mars/Phobos')).toThrow(
		'Rotate Every: n8n does not know the time zone "Mars/Phobos"',
	);
});

test('The blocks are rotated by a number, if that is chosen', () => {
	const context = { getTimezone: () => 'UTC' };
	const item = itemOf({ entered: { rotateEvery: 'custom', rotateBy: '2' }, context });
	expect(arrangements.rotate(BLOCKS, item)).toEqual(['c', 'a', 'b']);
});

test('The order is kept, reversed, or shuffled', () => {
	expect(arrangements.asListed(BLOCKS)).toEqual(BLOCKS);
	expect(arrangements.reverse(BLOCKS)).toEqual(['c', 'b', 'a']);
	expect(arrangements.shuffle(BLOCKS).toSorted()).toEqual(BLOCKS);
	expect(BLOCKS).toEqual(['a', 'b', 'c']);
});

describe('Blocks to move', () => {
	const moving = (blocksToMove: unknown) => itemOf({ entered: { blocksToMove } });

	test('are moved in the order in which they are listed', () => {
		const item = moving(['c', 'a']);
		expect(arrangements.moveToTop(BLOCKS, item)).toEqual(['c', 'a', 'b']);
		expect(arrangements.moveToBottom(BLOCKS, item)).toEqual(['b', 'c', 'a']);
	});

	test('are rejected if the page does not have one of them, or none is listed', () => {
		expect(() => arrangements.moveToTop(BLOCKS, moving(['a', 'x']))).toThrow(
			'Blocks to Move: block "x" is not in the order of the page',
		);
		expect(() => arrangements.moveToTop(BLOCKS, moving([]))).toThrow('Blocks to Move: the list is empty');
	});
});
