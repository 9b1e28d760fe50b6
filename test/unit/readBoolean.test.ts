import { readBoolean } from '../../nodes/ProfilePage/fields/readBoolean';

test.each([
	[true, true],
	[false, false],
	['true', true],
	['false', false],
	[' TRUE\n', true],
	['False', false],
])('takes %p for %p', (value, is) => {
	expect(readBoolean(value, 'Return All')).toBe(is);
});

test.each([[''], ['yes'], [0], [1], [null], [undefined], [[]], [{}]])('refuses %p', (value) => {
	expect(() => readBoolean(value, 'Return All')).toThrow('Return All: it must be true or false.');
});
