import fc from 'fast-check';

import { readWebAddress } from '../../nodes/ProfilePage/fields/readWebAddress';

const read = (value: unknown) => readWebAddress(value, 'URL');

test.each([
	['https://example.com'],
	['http://example.com/a?b=c&d=ä#e'],
	['HTTPS://EXAMPLE.COM/'],
	['https://user:password@example.com:8443/'],
	['https://münchen.example/straße'],
	['https://[::1]/'],
])('takes %s as it is', (address) => {
	expect(read(address)).toBe(address);
	expect(read(` ${address}\n`)).toBe(address);
});

test.each([
	['nothing', '', 'it is empty. Enter a whole web address'],
	['white space', '  ', 'it is empty. Enter a whole web address'],
	['undefined', undefined, 'it is empty'],
	['no scheme', 'example.com', '"example.com" is not a web address. Enter a whole web address'],
	['half a scheme', '//example.com', 'is not a web address'],
	['a scheme without slashes', 'https:example.com', 'is not a web address'],
	['no host', 'https://', 'is not a web address'],
	['a space in the host', 'https://exa mple.com', 'is not a web address'],
	['a script', 'javascript:alert(1)', 'is not a web address'],
	[
		'a script that begins like an address',
		'javascript:https://example.com',
		'is not a web address',
	],
	['another scheme', 'ftp://example.com', 'is not a web address'],
	['an e-mail address', 'mailto:me@example.com', 'is not a web address'],
	['data', 'data:text/html,x', 'is not a web address'],
	['a number', 5, '"5" is not a web address'],
	['a list', ['https://example.com'], 'it is a list, not a text'],
	['a text of 100 characters', 'x'.repeat(100), `"${'x'.repeat(100)}" is not a web address`],
	['a long text', 'x'.repeat(101), `"${'x'.repeat(100)}…" is not a web address`],
])('refuses %s', (_what, value, words) => {
	expect(() => read(value)).toThrow(/^URL: /);
	expect(() => read(value)).toThrow(words);
});

test('takes an address with letters beyond ASCII, however often', () => {
	const address = 'https://münchen.example/straße';
	for (let times = 0; times < 50_000; times += 1) {
		if (read(address) !== address) throw new Error(`Not the ${times}th time`);
	}
});

test('takes every address of the web, and nothing that is none', () => {
	const schemes = fc.constantFrom('https', 'http', 'ftp', 'file', 'javascript');
	fc.assert(
		fc.property(schemes, fc.webUrl(), (scheme, address) => {
			const other = address.replace(/^https?/, scheme);
			if (scheme.startsWith('http')) expect(read(other)).toBe(other);
			else expect(() => read(other)).toThrow('is not a web address');
		}),
	);
});
