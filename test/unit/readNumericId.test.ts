import fc from 'fast-check';

import { readNumericId } from '../../nodes/ProfilePage/fields/readNumericId';

const read = (value: unknown) =>
	readNumericId(value, { field: 'Link', advice: 'Choose a link from the list.' });

test('takes whole numbers, also as texts of any length', () => {
	fc.assert(
		fc.property(fc.maxSafeNat(), fc.bigInt({ min: 0n }), (number, large) => {
			expect(read(number)).toBe(String(number));
			expect(read(` ${large} `)).toBe(String(large));
		}),
	);
});

test.each([
	['nothing', '', 'it is empty. Choose a link from the list.'],
	['undefined', undefined, 'it is empty. Choose a link from the list.'],
	['words', 'My video', '"My video" is not an ID, which must be a whole number. Choose a link'],
	['a number below 0', -1, '"-1" is not an ID'],
	['a broken number', '1.5', '"1.5" is not an ID'],
	['a number that is too long', 2 ** 60, 'it is the number 1152921504606847000, which may have'],
	['a number with words', '12a', '"12a" is not an ID'],
	['an object', { id: 1 }, 'it is an object, not a text'],
])('refuses %s', (_what, value, words) => {
	expect(() => read(value)).toThrow(`Link: ${words}`);
});
