import fc from 'fast-check';

import { readText } from '../../nodes/ProfilePage/fields/readText';

const read = (value: unknown) =>
	readText(value, { field: 'Page ID', advice: 'Enter the ID of the page.' });

test('a text is taken without the white space around it', () => {
	expect(read('  PAGE home\n')).toBe('PAGE home');
});

test.each([
	[0, '0'],
	[42, '42'],
	[Number.MAX_SAFE_INTEGER, '9007199254740991'],
	[65.25, '65.25'],
	[1234567890.12345, '1234567890.12345'],
])('the number %p is taken as %p', (value, text) => {
	expect(read(value)).toBe(text);
});

test.each([2 ** 53, 1e21, 1e-7, 1234567890.1234567, NaN, Infinity, -Infinity])(
	'the number %p is refused, for it may have lost digits',
	(value) => {
		expect(() => read(value)).toThrow(/^Page ID: it is the number .* Give it as a text/);
	},
);

test('a decimal of up to 15 digits is taken as it was written', () => {
	const digits = fc.tuple(fc.nat(9_999_999), fc.stringMatching(/^[0-9]{0,7}[1-9]$/));
	fc.assert(
		fc.property(digits, ([whole, decimals]) => {
			const text = `${whole}.${decimals}`;
			// Numbers as small as this are written with an exponent.
			fc.pre(Number(text) >= 1e-6);
			expect(read(Number(text))).toBe(text);
		}),
	);
});

test.each(['', '   ', '\n', null, undefined])('%p is empty', (value) => {
	expect(() => read(value)).toThrow('Page ID: it is empty. Enter the ID of the page.');
});

test.each([
	[true, 'a boolean'],
	[{}, 'an object'],
	[['PAGE'], 'a list'],
])('%p is not a text', (value, type) => {
	expect(() => read(value)).toThrow(
		`Page ID: it is ${type}, not a text. Enter the ID of the page.`,
	);
});
