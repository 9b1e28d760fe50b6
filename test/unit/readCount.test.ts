import { countField, readCount } from '../../nodes/ProfilePage/fields/readCount';

const field = (typeOptions: { minValue: number; maxValue?: number }) =>
	countField({ displayName: 'Limit', name: 'limit', default: 5, typeOptions });

test.each([
	[1, 1],
	[50, 50],
	['7', 7],
	[' 7 ', 7],
	['1e1', 10],
	[Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
])('%j is %p', (value, count) => {
	expect(readCount(value, field({ minValue: 1 }))).toBe(count);
});

test.each([0, -1, 1.5, '', ' ', 'ten', '1.5', true, null, undefined, [5], Infinity, 2 ** 53])(
	'%j is refused',
	(value) => {
		expect(() => readCount(value, field({ minValue: 1 }))).toThrow(
			'Limit: it must be a whole number, at least 1.',
		);
	},
);

test('both bounds are within', () => {
	const bounded = field({ minValue: 0, maxValue: 10 });
	expect([readCount(0, bounded), readCount(10, bounded)]).toEqual([0, 10]);
	for (const value of [-1, 11]) {
		expect(() => readCount(value, bounded)).toThrow(
			'Limit: it must be a whole number, from 0 to 10.',
		);
	}
});
