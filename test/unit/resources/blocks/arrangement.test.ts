import fc from 'fast-check';

import { arrange, rotate, shuffle } from '../../../../nodes/ProfilePage/resources/blocks/arrangement';

const lists = fc.uniqueArray(fc.string(), { minLength: 1 });
const sorted = (list: readonly string[]) => [...list].sort();

describe('rotate', () => {
	test('keeps all entries, and the order in which they follow each other', () => {
		fc.assert(
			fc.property(lists, fc.maxSafeInteger(), (list, positions) => {
				const rotated = rotate(list, positions);
				expect(sorted(rotated)).toEqual(sorted(list));
				const start = rotated.indexOf(list[0]!);
				expect([...rotated.slice(start), ...rotated.slice(0, start)]).toEqual(list);
			}),
		);
	});

	test('goes on by one entry with the next number, for any list and number', () => {
		fc.assert(
			fc.property(lists, fc.maxSafeInteger(), (list, positions) => {
				fc.pre(positions < Number.MAX_SAFE_INTEGER);
				const [first, ...others] = rotate(list, positions);
				expect(rotate(list, positions + 1)).toEqual([...others, first]);
			}),
		);
	});
});

describe('shuffle', () => {
	/** All sequences of numbers that the random source can return for a list of this length. */
	function draws(length: number): number[][] {
		if (length === 0) return [[]];
		return Array.from({ length }, (_, draw) => draws(length - 1).map((others) => [draw, ...others])).flat();
	}

	test.each([1, 2, 3, 4, 5])('gives every order of %d entries exactly once', (length) => {
		const list = Array.from({ length }, (_, index) => `entry ${index}`);
		const orders = draws(length).map((numbers) => {
			const remaining = [...numbers];
			const order = shuffle(list, (limit) => {
				const draw = remaining.shift()!;
				expect(draw).toBeLessThan(limit);
				return draw;
			});
			expect(remaining).toEqual([]);
			return order.join();
		});
		const factorial = list.reduce((product, _, index) => product * (index + 1), 1);
		expect(new Set(orders).size).toBe(factorial);
		expect(orders).toHaveLength(factorial);
	});

	test('keeps all entries', () => {
		fc.assert(
			fc.property(lists, (list) => {
				expect(sorted(shuffle(Object.freeze([...list])))).toEqual(sorted(list));
			}),
		);
	});
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
