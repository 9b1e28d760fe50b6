import fc from 'fast-check';

import { normalizeAddress, normalizeLoosely as loosen } from '../../../../nodes/ProfilePage/resources/links/addresses';
import { processorTime } from '../../../support/processorTime';

const normalizeLoosely = (address: string) => loosen(normalizeAddress(address));
import { webAddresses } from '../../../support/texts';

describe('normalizeAddress', () => {
	test.each<[difference: string, one: string, other: string]>([
		['the case of the scheme', 'HTTPS://example.com/a', 'https://example.com/a'],
		['the case of the host', 'https://Example.COM/a', 'https://example.com/a'],
		['the default port of https', 'https://example.com:443/a', 'https://example.com/a'],
		['the default port of http', 'http://example.com:80/a', 'http://example.com/a'],
		['an empty path', 'https://example.com', 'https://example.com/'],
		['an empty path before a query', 'https://example.com?a=1', 'https://example.com/?a=1'],
		['an empty path before a fragment', 'https://example.com#top', 'https://example.com/#top'],
		['an encoded letter', 'https://example.com/%61', 'https://example.com/a'],
		['an encoded tilde', 'https://example.com/%7Euser', 'https://example.com/~user'],
		['an encoded letter in the query', 'https://example.com/?q=%7a', 'https://example.com/?q=z'],
		['an encoded dot in the fragment', 'https://example.com/#%2E', 'https://example.com/#.'],
		['the case of the encoding', 'https://example.com/%c3%bc', 'https://example.com/%C3%BC'],
		['the encoding of other letters', 'https://example.com/ü', 'https://example.com/%C3%BC'],
		['an encoded host name', 'https://bücher.example', 'https://xn--bcher-kva.example'],
		['white space around it', ' https://example.com/a\n', 'https://example.com/a'],
		['a path with dots', 'https://example.com/b/../a', 'https://example.com/a'],
	])('ignores %s', (_difference, one, other) => {
		expect(normalizeAddress(one)).toBe(normalizeAddress(other));
	});

	test.each<[difference: string, one: string, other: string]>([
		['the scheme', 'http://example.com/', 'https://example.com/'],
		['the host', 'https://www.example.com/', 'https://example.com/'],
		['another port', 'https://example.com:8443/', 'https://example.com/'],
		['the default port of another scheme', 'https://example.com:80/', 'https://example.com/'],
		['the case of the path', 'https://example.com/A', 'https://example.com/a'],
		['the case of the query', 'https://example.com/?A', 'https://example.com/?a'],
		['a slash at the end of the path', 'https://example.com/a/', 'https://example.com/a'],
		['the query', 'https://example.com/?v=1', 'https://example.com/?v=2'],
		['an empty query', 'https://example.com/?', 'https://example.com/'],
		['the order of the query', 'https://example.com/?a&b', 'https://example.com/?b&a'],
		['the fragment', 'https://example.com/#a', 'https://example.com/#b'],
		['an encoded slash', 'https://example.com/a%2Fb', 'https://example.com/a/b'],
		['an encoded question mark', 'https://example.com/a%3Fb', 'https://example.com/a?b'],
		['an encoded ampersand', 'https://example.com/?a%26b', 'https://example.com/?a&b'],
		['an encoded percent sign', 'https://example.com/%2541', 'https://example.com/%41'],
		['a plus sign and a space', 'https://example.com/?a+b', 'https://example.com/?a%20b'],
		['the user', 'https://a@example.com/', 'https://b@example.com/'],
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

	test('returns the same for the address it returns', () => {
		fc.assert(
			fc.property(webAddresses, (address) => {
				const normalized = normalizeAddress(address);
				expect(normalizeAddress(normalized)).toBe(normalized);
			}),
			{ numRuns: 1000 },
		);
	});

	/** Changes an address without changing what it means. */
	function rewrite(address: string, seed: readonly boolean[]): string {
		const [, scheme = '', host = '', rest = ''] = /^(https?:)\/\/([^/?#]*)(.*)$/.exec(address)!;
		const [upperScheme, upperHost, port, ...encoded] = seed;
		const defaultPort = scheme === 'https:' ? ':443' : ':80';
		const hasPort = /:\d+$/.test(host);
		const encode = (character: string, index: number) =>
			encoded[index % encoded.length] && !/[%\da-f]/i.test(character)
				? `%${character.charCodeAt(0).toString(16)}`
				: character;
		const unreserved = rest.replace(/[\w.~-]/g, (character, index: number) => encode(character, index));
		return [
			upperScheme ? scheme.toUpperCase() : scheme,
			'//',
			upperHost ? host.toUpperCase() : host,
			port && !hasPort ? defaultPort : '',
			rest === '/' && upperHost ? '' : unreserved,
		].join('');
	}

	test('returns the same for any address that is written in another way', () => {
		const seeds = fc.array(fc.boolean(), { minLength: 5, maxLength: 12 });
		fc.assert(
			fc.property(webAddresses, seeds, (address, seed) => {
				// The segments "." and ".." are removed; Node.js 20 leaves them in some paths.
				fc.pre(!/\/\.{1,2}(?=[/?#]|$)/.test(address));
				const other = rewrite(address, seed);
				expect(normalizeAddress(other)).toBe(normalizeAddress(address));
				expect(normalizeLoosely(other)).toBe(normalizeLoosely(address));
			}),
			{ numRuns: 1000 },
		);
	});

	test('returns different texts for addresses of which the path, the query or the fragment differ in a letter', () => {
		const letter = fc.constantFrom(...'abcxyzABCXYZ0189-._~'.match(/./g)!);
		fc.assert(
			fc.property(
				fc.constantFrom('/', '/p/', '/?', '/?q=', '/#', '/p?q#'),
				fc.tuple(letter, letter).filter(([one, other]) => one !== other),
				(start, [one, other]) => {
					const address = (end: string) => `https://example.com${start}x${end}`;
					expect(normalizeAddress(address(one))).not.toBe(normalizeAddress(address(other)));
				},
			),
		);
	});

	test('leads to the same place as the address', () => {
		fc.assert(
			fc.property(webAddresses, (address) => {
				const [before, after] = [new URL(address), new URL(normalizeAddress(address))];
				expect(after.host).toBe(before.host);
				for (const part of ['pathname', 'search', 'hash'] as const) {
					expect(decodeURIComponent(after[part])).toBe(decodeURIComponent(before[part]));
				}
			}),
			{ numRuns: 1000 },
		);
	});
});

describe('normalizeLoosely', () => {
	test.each([
		['https://a.example/1', 'https://a.example/1/'],
		['https://a.example', 'https://a.example/#top'],
		['https://a.example/1', 'https://a.example/1?utm_source=rss&utm_medium=feed'],
		['https://a.example/1', 'https://A.example/1/?utm%5Fsource=rss#comments'],
		['https://a.example/?b=1&a=2', 'https://a.example/?fbclid=x&b=1&gclid=y&a=2&igshid'],
		['https://a.example/1', 'https://a.example/1?dclid=1&msclkid=2&mc_cid=3&mc_eid=4'],
		['https://a.example/1?', 'https://a.example/1'],
		['not an %61ddress', 'not an address'],
	])('returns the same for %s and %s', (one, other) => {
		expect(normalizeLoosely(one)).toBe(normalizeLoosely(other));
	});

	test.each([
		['https://a.example/1', 'https://a.example/2'],
		['https://a.example/1', 'https://a.example/1//'],
		['https://a.example/1', 'https://a.example/1?page=2'],
		['https://a.example/1?a=1&b=2', 'https://a.example/1?b=2&a=1'],
		['https://a.example/1?ref=utm_source', 'https://a.example/1'],
		['https://a.example/1?gclid2=x', 'https://a.example/1'],
		['https://user@a.example/1', 'https://a.example/1'],
		['https://a.example:8443/1', 'https://a.example/1'],
		['not an address', 'not another address'],
	])('returns something else for %s and %s', (one, other) => {
		expect(normalizeLoosely(one)).not.toBe(normalizeLoosely(other));
	});

	test('returns the address without what makes no difference', () => {
		expect(normalizeLoosely('https://A.example/1/?utm_source=rss&b=2#top')).toBe('https://a.example/1?b=2');
	});

	test('ignores what is added to any address', () => {
		fc.assert(
			fc.property(webAddresses, (address) => {
				const url = new URL(address);
				url.search += `${url.search ? '&' : '?'}utm_campaign=x`;
				url.hash = 'top';
				expect(normalizeLoosely(url.href)).toBe(normalizeLoosely(address));
			}),
		);
	});
});

test('Texts that are no addresses are compared without being parsed, which would take long for many', async () => {
	const compare = () => {
		for (let count = 0; count < 300_000; count += 1) normalizeLoosely(count % 2 === 0 ? '' : 'x');
	};
	expect(await processorTime(compare, 500)).toBeLessThan(500);
});
