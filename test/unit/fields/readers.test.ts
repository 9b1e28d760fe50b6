import fc from 'fast-check';

import { readId, readInteger, readText, readWebAddress } from '../../../nodes/ProfilePage/fields/readers';
import { quotable } from '../../../nodes/ProfilePage/shared/values';
import { failureOf } from '../../support/failureOf';
import { webAddresses } from '../../support/texts';

describe('readText', () => {
	const read = (value: unknown) => readText(value, 'Page ID', 'Enter the ID of the page.');

	test('returns no half of a character, and nothing that nobody sees at the ends, and keeps the rest', () => {
		const unseen = fc.constantFrom(...'\u200B\u200E\uFEFF\u2060\u00AD\u3164 \n\0'.split(''), '\uD83C', '\uDF89');
		const pieces = fc.array(fc.oneof(unseen, fc.constantFrom('a', 'é', '\u{1F389}', '\u2764\uFE0F', '\u05D0')));
		fc.assert(
			fc.property(pieces, (parts) => {
				// Two halves side by side are a character.
				const text = parts.join('').replace(/\p{Cs}/gu, '');
				fc.pre(/[aé\u2764\u05D0\u{1F389}]/u.test(text));
				const result = read(parts.join(''));
				expect(result).not.toMatch(/\p{Cs}/u);
				// Character by character: in Node.js 26, a pattern finds no emoji before the end of a text.
				const characters = Array.from(result);
				for (const end of [characters[0], characters.at(-1)]) expect(end).toMatch(/^[^\s\p{C}\u3164]/u);
				expect(text).toContain(result);
			}),
		);
	});

	test.each([
		[0, '0'],
		[Number.MAX_SAFE_INTEGER, '9007199254740991'],
		[65.25, '65.25'],
		['N/A', 'N/A'],
		['null', 'null'],
	])('reads %p as %p, which may be meant', (value, text) => {
		expect(read(value)).toBe(text);
	});

	test.each([NaN, -Infinity])('rejects %p, which an expression such as {{ $json.nope * 2 }} returns', (value) => {
		expect(failureOf(() => read(value))).toMatchObject({
			problem: 'Page ID: the value is an invalid number, not text',
			advice: 'Enter the ID of the page.',
		});
	});
});

describe('readId', () => {
	const read = (value: unknown) => readId(value, 'Page', 'Enter the ID of the page.');

	test.each([2 ** 53, 65.25, 1e21, 1e-7])('rejects the number %p, which may have lost digits', (value) => {
		expect(failureOf(() => read(value))).toMatchObject({
			problem: `Page: the value is the number ${value}, which may have lost digits`,
			advice: 'Make it a text where it comes from. In an expression, put it in quotation marks.',
		});
	});

	test.each([1, Number.MAX_SAFE_INTEGER, 'PAGE_home_65f1c0a2b3d4e', '007', '65f1c0a2b3d4e5.12345678', 'a:b', 'größe'])(
		'reads %p',
		(value) => {
			expect(read(value)).toBe(String(value));
			expect(read(` ${value}\n`)).toBe(String(value));
		},
	);

	test.each(['My video', 'a\tb', '"7"', '“7”', '`7`', '1. **7**', '5,6', '5;', 'null', 'undefined'])(
		'rejects %j, which is no ID',
		(value) => {
			expect(failureOf(() => read(value))).toMatchObject({
				problem: `Page: the value is not an ID: "${quotable(value)}"`,
				advice: 'An ID contains no spaces, commas, or quotation marks. Enter the ID of the page.',
			});
		},
	);
});

describe('readWebAddress', () => {
	const read = (value: unknown) => readWebAddress(value, 'URL');

	test.each([
		['https://example.com'],
		['http://example.com/a?b=c&d=ä#e'],
		['https://user:password@example.com:8443/'],
		['https://münchen.example/straße'],
		['https://http.example.com./a,b)?c=https://example.org'],
		['https://my_page.example.com/https://example.org'],
		['http://[::1]:8080/'],
		['https://例え.テスト/😀'],
	])('returns %s unchanged', (address) => {
		expect(read(address)).toBe(address);
		expect(read(` ${address}\n`)).toBe(address);
	});

	test.each([
		['an address without a scheme', 'example.com', '"example.com" is not a web address'],
		['a host with a space', 'https://exa mple.com', 'is not a web address'],
		['a script', 'javascript:alert(1)', 'is not a web address'],
		['a host without a dot', 'https://instagram/myband', 'is not a web address'],
		['two schemes, one without slashes', 'http://http:www.example.com', 'is not a web address'],
		['two addresses', 'https://a.example,https://b.example', 'is not a web address'],
		[
			'a title behind the address',
			'https://youtu.be/abc123 My new video',
			'"https://youtu.be/abc123 My new video" is not a web address',
		],
		['a line break', 'https://example.com/\na', 'is not a web address'],
		['a long text', 'x'.repeat(101), `"${'x'.repeat(100)}…" is not a web address`],
	])('rejects %s', (_what, value, words) => {
		expect(() => read(value)).toThrow(/^URL: /);
		expect(() => read(value)).toThrow(words);
	});

	test('accepts an address with letters beyond ASCII after many calls', () => {
		const address = 'https://münchen.example/straße';
		for (let times = 0; times < 50_000; times += 1) {
			if (read(address) !== address) throw new Error(`Rejected at call ${times}`);
		}
	});

	test('accepts the addresses of the web and rejects other schemes', () => {
		const schemes = fc.constantFrom('https', 'http', 'ftp', 'file', 'javascript');
		fc.assert(
			fc.property(schemes, webAddresses, (scheme, address) => {
				const other = address.replace(/^https?/, scheme);
				if (scheme.startsWith('http')) expect(read(other)).toBe(other);
				else expect(() => read(other)).toThrow('is not a web address');
			}),
		);
	});
});

describe('readInteger', () => {
	const read = (value: unknown) => readInteger(value, 'Limit', { minValue: 0, maxValue: 10 });

	test.each([
		[0, 0],
		[10, 10],
		[' 7 ', 7],
		['1e1', 10],
	])('reads %j as %p', (value, integer) => {
		expect(read(value)).toBe(integer);
	});

	test.each([-1, 11, 1.5, '', ' ', 'ten', '1.5', true, null, undefined, [5], NaN])('rejects %j', (value) => {
		expect(() => read(value)).toThrow('Limit: the value must be a whole number, from 0 to 10');
	});
});

describe('quotable', () => {
	test('returns a text of 100 characters unchanged and cuts a longer one', () => {
		expect(quotable('x'.repeat(100))).toBe('x'.repeat(100));
		expect(quotable('x'.repeat(101))).toBe(`${'x'.repeat(100)}…`);
	});

	test('makes text of every tag, so that the editor shows no link of an item in an error', () => {
		expect(quotable('<a href="https://example.com/">Sign in</a>')).toBe(
			'<\u200Ba href="https://example.com/">Sign in<\u200B/a>',
		);
		expect(quotable('1 < 2 <3 << <= >')).toBe('1 < 2 <3 << <= >');
		const part = fc.constantFrom('<', '/', '!', '?', 'a', 'Z', '\u200B', ' ', '>', '😀');
		fc.assert(
			fc.property(fc.string({ unit: part, maxLength: 150 }), (text) => {
				expect(quotable(text)).not.toMatch(/<[a-z/!?]/i);
			}),
		);
	});

	test('does not cut an emoji in half', () => {
		expect(quotable(`${'x'.repeat(99)}😀😀`)).toBe(`${'x'.repeat(99)}…`);
		expect(quotable(`😀${'x'.repeat(99)}`)).toBe(`😀${'x'.repeat(98)}…`);
	});
});
