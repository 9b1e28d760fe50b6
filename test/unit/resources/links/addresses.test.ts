import { normalizeAddress } from '../../../../nodes/ProfilePage/resources/links/addresses';

describe('A comparison of addresses', () => {
	test.each<[difference: string, one: string, other: string]>([
		['the case of the scheme', 'HTTPS://example.com/a', 'https://example.com/a'],
		['the case of the host', 'https://Example.COM/a', 'https://example.com/a'],
		['the default port of https', 'https://example.com:443/a', 'https://example.com/a'],
		['an empty path', 'https://example.com', 'https://example.com/'],
		['an empty path before a fragment', 'https://example.com#top', 'https://example.com/#top'],
		['an encoded letter', 'https://example.com/%61', 'https://example.com/a'],
		['brackets, which need no encoding', 'https://example.com/Song_%28album%29', 'https://example.com/Song_(album)'],
		['what is no delimiter', 'https://example.com/%40a?%5Bb%5D%7C%7Ec', 'https://example.com/@a?[b]|~c'],
		['the entity of a typographic apostrophe', 'https://example.com/it&#8217;s', 'https://example.com/it’s'],
		['the case of the encoding', 'https://example.com/%c3%bc', 'https://example.com/%C3%BC'],
		['the entity of an ampersand', 'https://example.com/?a=1&amp;b=2', 'https://example.com/?a=1&b=2'],
		['entities of an apostrophe', 'https://example.com/it&#039;s&apos;&#39;', "https://example.com/it's&#x27;'"],
		['entities of a quotation mark and brackets', 'https://example.com/?&quot;&lt;&gt;', 'https://example.com/?"<>'],
		['Punycode', 'https://münchen.example/a b', 'https://xn--mnchen-3ya.example/a%20b'],
		['the encoding of other letters', 'https://example.com/ü', 'https://example.com/%C3%BC'],
	])('ignores %s', (_difference, one, other) => {
		expect(normalizeAddress(one)).toBe(normalizeAddress(other));
	});

	test.each<[difference: string, one: string, other: string]>([
		['the host', 'https://www.example.com/', 'https://example.com/'],
		['the default port of another scheme', 'https://example.com:80/', 'https://example.com/'],
		['the case of the path', 'https://example.com/A', 'https://example.com/a'],
		['a slash at the end of the path', 'https://example.com/a/', 'https://example.com/a'],
		['the query', 'https://example.com/?v=1', 'https://example.com/?v=2'],
		['an empty query', 'https://example.com/?', 'https://example.com/'],
		['the fragment', 'https://example.com/#a', 'https://example.com/#b'],
		['bytes that are no UTF-8', 'https://example.com/caf%E9', 'https://example.com/caf%E8'],
		['a delimiter that is encoded: &', 'https://example.com/?q=a%26b', 'https://example.com/?q=a&b'],
		['a delimiter that is encoded: /', 'https://example.com/a%2Fb', 'https://example.com/a/b'],
		['a delimiter that is encoded: #', 'https://example.com/a%23b', 'https://example.com/a#b'],
		['a delimiter that is encoded: +', 'https://example.com/?a%2Bb', 'https://example.com/?a+b'],
		['a delimiter that is encoded: :', 'https://a%3Ab@example.com/', 'https://a:b@example.com/'],
		['an encoded percent sign', 'https://example.com/%2541', 'https://example.com/%41'],
		['http and https', 'http://example.com/', 'https://example.com/'],
		['other entities', 'https://example.com/?a&copy;b', 'https://example.com/?a©b'],
		['a plus sign and a space', 'https://example.com/?a+b', 'https://example.com/?a%20b'],
	])('does not ignore %s', (_difference, one, other) => {
		expect(normalizeAddress(one)).not.toBe(normalizeAddress(other));
	});

	test.each(['', 'not an address', 'https://', 'https://a b', '%61'])(
		'compares %j, which is not an address, as text',
		(text) => {
			expect(() => normalizeAddress(text)).not.toThrow();
			expect(normalizeAddress(text)).not.toBe(normalizeAddress(`${text}x`));
		},
	);
});
