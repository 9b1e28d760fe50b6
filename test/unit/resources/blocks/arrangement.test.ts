import fc from 'fast-check';

import { arrange } from '../../../../nodes/ProfilePage/resources/blocks/arrangement';

const rotate = (ids: string[], positions: number) => arrange(ids, { kind: 'rotate', positions, kept: [] });

test('rotate moves one more entry to the end with the next number, for any list and number', () => {
	const lists = fc.uniqueArray(fc.string(), { minLength: 1 });
	const numbers = fc.maxSafeInteger().filter((positions) => positions < Number.MAX_SAFE_INTEGER);
	fc.assert(
		fc.property(lists, numbers, (list, positions) => {
			expect(rotate(list, 0)).toEqual(list);
			const [first, ...others] = rotate(list, positions);
			expect(rotate(list, positions + 1)).toEqual([...others, first]);
		}),
	);
});

test('shuffle can give any order, each for one order of the random numbers', () => {
	const ids = ['a', 'b', 'c', 'd'];
	fc.assert(
		fc.property(fc.shuffledSubarray(ids, { minLength: ids.length }), (order) => {
			const random = jest.spyOn(Math, 'random');
			for (const id of ids) random.mockReturnValueOnce(order.indexOf(id) / ids.length);
			expect(arrange(ids, { kind: 'shuffle', positions: 0, kept: [] })).toEqual(order);
			random.mockRestore();
		}),
	);
});

test('Blocks that are kept in place never move, and no block is lost or doubled, whatever the arrangement', () => {
	const parameters = fc.record({
		kind: fc.constantFrom('reverse' as const, 'rotate' as const, 'shuffle' as const),
		positions: fc.integer({ min: -20, max: 20 }),
	});
	const blocks = fc.uniqueArray(fc.stringMatching(/^[a-z]\d{1,2}$/), { minLength: 1, maxLength: 12 });
	fc.assert(
		fc.property(parameters, blocks, fc.infiniteStream(fc.boolean()), (fields, ids, choices) => {
			const kept = ids.filter(() => choices.next().value);
			const arranged = arrange(ids, { ...fields, kept });
			expect(arranged.toSorted()).toEqual(ids.toSorted());
			for (const id of kept) expect(arranged.indexOf(id)).toBe(ids.indexOf(id));
		}),
	);
});
