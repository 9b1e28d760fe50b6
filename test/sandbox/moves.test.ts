import fc from 'fast-check';

import { findMoves } from '../../sandbox/viewer/moves';

test.each([
	['abcdef', 'abcdef', {}],
	['abcdef', 'fabcde', { f: 5 }],
	['abcdef', 'bcdefa', { a: 0 }],
	['abcdef', 'acdebf', { b: 1 }],
	['abcdef', 'bacdfe', { b: 1, f: 5 }],
	['abc', 'cba', { c: 2, b: 1 }],
	['', '', {}],
])('from %p to %p, the moved blocks are %j', (before, after, moves) => {
	expect(Object.fromEntries(findMoves(Array.from(before), Array.from(after)))).toEqual(moves);
});

const orders = fc
	.uniqueArray(fc.string(), { maxLength: 8 })
	.chain((before) =>
		fc.tuple(fc.constant(before), fc.shuffledSubarray(before, { minLength: before.length })),
	);

test('the blocks that were not moved are in the same order as before, and no larger set is', () => {
	fc.assert(
		fc.property(orders, ([before, after]) => {
			const moves = findMoves(before, after);
			const rest = (order: string[]) => order.filter((id) => !moves.has(id));
			expect(rest(after)).toEqual(rest(before));
			for (const [id, from] of moves) expect(before[from]).toBe(id);
			const positions = after.map((id) => before.indexOf(id));
			expect(before.length - moves.size).toBe(longestIncreasingLength(positions));
		}),
	);
});

/** Tries every subsequence. */
function longestIncreasingLength([first, ...others]: number[], above = -1): number {
	if (first === undefined) return 0;
	const without = longestIncreasingLength(others, above);
	return first > above ? Math.max(without, 1 + longestIncreasingLength(others, first)) : without;
}
