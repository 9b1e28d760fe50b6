import fc from 'fast-check';

import { toAddress, toAscii } from '../../../../nodes/ProfilePage/resources/links/addresses';
import { processorTime } from '../../../support/processorTime';
import { webAddresses } from '../../../support/texts';

const exact = (address: string) => toAddress(address).exact;
const loose = (address: string) => toAddress(address).loose;

const TRACKING =
	'utm_source utm_x fbclid gclid gbraid wbraid dclid msclkid twclid ttclid yclid igsh igshid mc_cid mc_eid mibextid ref_src _hsenc _hsmi';
const SHARED_ON = ['youtube.com', 'youtu.be', 'spotify.com', 'soundcloud.com'];

describe('An address, compared exactly', () => {
	test.each<[difference: string, one: string, other: string]>([
		['the case of the scheme', 'HTTPS://example.com/a', 'https://example.com/a'],
		['the case of the host', 'https://Example.COM/a', 'https://example.com/a'],
		['the default port of https', 'https://example.com:443/a', 'https://example.com/a'],
		['an empty path', 'https://example.com', 'https://example.com/'],
		['an empty path before a fragment', 'https://example.com#top', 'https://example.com/#top'],
		['an encoded letter', 'https://example.com/%61', 'https://example.com/a'],
		['encoded brackets', 'https://example.com/Song_%28album%29', 'https://example.com/Song_(album)'],
		['the case of the encoding', 'https://example.com/%c3%bc', 'https://example.com/%C3%BC'],
		['the entity of an ampersand', 'https://example.com/?a=1&amp;b=2', 'https://example.com/?a=1&b=2'],
		['an entity that was escaped again', 'https://example.com/?a=1&amp;amp;b=2', 'https://example.com/?a=1&b=2'],
		['entities of an apostrophe', 'https://example.com/it&#039;s&apos;&#39;', "https://example.com/it's&#x27;'"],
		['entities of a quotation mark and brackets', 'https://example.com/?&quot;&lt;&gt;', 'https://example.com/?"<>'],
		['Punycode', 'https://münchen.example/a b', 'https://xn--mnchen-3ya.example/a%20b'],
		['the encoding of other letters', 'https://example.com/ü', 'https://example.com/%C3%BC'],
	])('ignores %s', (_difference, one, other) => {
		expect(exact(one)).toBe(exact(other));
	});

	test.each<[difference: string, one: string, other: string]>([
		['the host', 'https://www.example.com/', 'https://example.com/'],
		['the default port of another scheme', 'https://example.com:80/', 'https://example.com/'],
		['the case of the path', 'https://example.com/A', 'https://example.com/a'],
		['a slash at the end of the path', 'https://example.com/a/', 'https://example.com/a'],
		['the query', 'https://example.com/?v=1', 'https://example.com/?v=2'],
		['an empty query', 'https://example.com/?', 'https://example.com/'],
		['the fragment', 'https://example.com/#a', 'https://example.com/#b'],
		['an encoded slash', 'https://example.com/a%2Fb', 'https://example.com/a/b'],
		['an encoded ampersand', 'https://example.com/?a%26b', 'https://example.com/?a&b'],
		['an encoded percent sign', 'https://example.com/%2541', 'https://example.com/%41'],
		['http and https', 'http://example.com/', 'https://example.com/'],
		['other entities', 'https://example.com/?a&nbsp;b', 'https://example.com/?a\u00A0b'],
		['a plus sign and a space', 'https://example.com/?a+b', 'https://example.com/?a%20b'],
	])('does not ignore %s', (_difference, one, other) => {
		expect(exact(one)).not.toBe(exact(other));
	});

	test.each(['', 'not an address', 'https://', 'https://a b', '%61'])(
		'compares %j, which is not an address, as text',
		(text) => {
			expect(() => exact(text)).not.toThrow();
			expect(exact(text)).not.toBe(exact(`${text}x`));
		},
	);
});

describe('An address, compared loosely', () => {
	test.each([
		['https://a.example/1', 'https://a.example/1/'],
		['https://a.example', 'https://a.example/#top'],
		['https://a.example/1', 'http://a.example/1'],
		['https://a.example/1?b=2&c=3', 'HTTP://a.example/1/?b=2&amp;utm_source=x&amp;c=3'],
		['https://a.example:8443/1', 'http://a.example:8443/1'],
		['https://a.example/1', 'https://A.example/1/?utm%5Fsource=rss#comments'],
		['https://a.example/?b=1&a=2', 'https://a.example/?fbclid=x&b=1&gclid=y&a=2&msclkid'],
		['https://youtu.be/X?si=A&t=10', 'https://youtu.be/X?t=10'],
		['https://a.example/1?', 'https://a.example/1'],
		['not an %61ddress', 'not an address'],
	])('returns the same for %s and %s', (one, other) => {
		expect(loose(one)).toBe(loose(other));
	});

	test.each([
		['https://a.example/1', 'https://a.example/2'],
		['https://a.example/1', 'https://a.example/1?page=2'],
		['https://a.example/1?a=1&b=2', 'https://a.example/1?b=2&a=1'],
		['https://a.example/1?ref=utm_source', 'https://a.example/1'],
		['https://a.example/1?si=A', 'https://a.example/1'],
		['https://a.example:8443/1', 'https://a.example/1'],
		['ftp://a.example/1', 'https://a.example/1'],
		['not an address', 'not another address'],
	])('returns something else for %s and %s', (one, other) => {
		expect(loose(one)).not.toBe(loose(other));
	});

	test('ignores every tracking parameter on any host, in any case, and no other', () => {
		for (const name of TRACKING.split(' ').flatMap((each) => [each, each.toUpperCase()])) {
			const address = 'https://www.a.example/a';
			expect(loose(`${address}?${name}=1`)).toBe(loose(address));
			const others = [`x${name}=1`, `x=${name}`, ...(/^utm_/i.test(name) ? [] : [`${name}x=1`])];
			for (const other of others) expect(loose(`${address}?${other}`)).not.toBe(loose(address));
		}
	});

	test.each(SHARED_ON)('returns the same for addresses that differ by "si" on %s only', (host) => {
		for (const address of [`https://${host}/a`, `https://open.${host}/a`]) {
			expect(loose(`${address}?si=1`)).toBe(loose(address));
		}
		for (const other of [`not${host}`, `${host}.example`]) {
			expect(loose(`https://${other}/a?si=1`)).not.toBe(loose(`https://${other}/a`));
		}
	});
});

describe('toAscii', () => {
	test.each([
		['https://münchen.example', 'https://xn--mnchen-3ya.example/'],
		['https://пример.example/путь', 'https://xn--e1afmkfd.example/%D0%BF%D1%83%D1%82%D1%8C'],
		['https://例え.テスト/', 'https://xn--r8jz45g.xn--zckzah/'],
		['https://example.com/a b?c d#e f', 'https://example.com/a%20b?c%20d#e%20f'],
		['https://example.com/straße?q=ä%20b&c=%C3%A4', 'https://example.com/stra%C3%9Fe?q=%C3%A4%20b&c=%C3%A4'],
		['https://example.com/😀', 'https://example.com/%F0%9F%98%80'],
	])('encodes %s', (address, sent) => {
		expect(toAscii(address)).toBe(sent);
	});

	test('returns an address in ASCII unchanged, and any other as the same address in ASCII', () => {
		fc.assert(
			fc.property(webAddresses, fc.constantFrom('', ' ', 'ü', '例', '😀'), (address, letter) => {
				expect(toAscii(address)).toBe(address);
				fc.pre(URL.canParse(`${address}${letter}x`));
				const sent = toAscii(`${address}${letter}x`);
				expect(sent).toMatch(/^[!-~]+$/);
				expect(exact(sent)).toBe(exact(`${address}${letter}x`));
			}),
		);
	});
});

test('Texts that are no addresses are compared without being parsed, which would take long for many', async () => {
	const compare = () => {
		for (let count = 0; count < 300_000; count += 1) loose(count % 2 === 0 ? '' : 'x');
	};
	expect(await processorTime(compare, 1200)).toBeLessThan(1200);
});
