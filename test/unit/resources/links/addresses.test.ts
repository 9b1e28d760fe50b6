import fc from 'fast-check';

import {
	normalizeAddress,
	normalizeLoosely as loosen,
	TRACKING,
} from '../../../../nodes/ProfilePage/resources/links/addresses';
import { processorTime } from '../../../support/processorTime';
import { webAddresses } from '../../../support/texts';

const normalizeLoosely = (address: string) => loosen(normalizeAddress(address));

/** Whether a name of the table, which may end in "*", is that of a parameter. */
const matches = (tracking: string, name: string) =>
	tracking.endsWith('*') ? name.startsWith(tracking.slice(0, -1)) : name.toLowerCase() === tracking.toLowerCase();

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
		['https://a.example/?b=1&a=2', 'https://a.example/?fbclid=x&b=1&gclid=y&a=2&msclkid'],
		['https://a.example/1', 'https://a.example/1?dclid=1&msclkid=2&mc_cid=3&mc_eid=4'],
		['https://a.example/1', 'https://a.example/1?GBRAID=1&gad_source=2&srsltid=3&ttclid=4&_gl=5&li_fat_id=6'],
		['https://a.example/1', 'https://a.example/1?_hsenc=1&_hsmi=2&mkt_tok=3&_kx=4&ml_subscriber=5&_bhlid=6'],
		['https://instagram.com/reel/X/?igsh=A', 'https://instagram.com/reel/X/?igsh=B'],
		['https://www.instagram.com/p/X/?igshid=A==&img_index=2', 'https://www.instagram.com/p/X/?img_index=2'],
		['https://www.threads.net/@a/post/X?igshid=A', 'https://www.threads.net/@a/post/X'],
		['https://youtu.be/X?si=A&t=10', 'https://youtu.be/X?t=10'],
		['https://www.youtube.com/watch?v=X&si=A&pp=B&feature=shared', 'https://www.youtube.com/watch?v=X'],
		['https://music.youtube.com/watch?v=X&si=A', 'https://music.youtube.com/watch?v=X&si=B'],
		['https://open.spotify.com/track/X?si=A', 'https://open.spotify.com/track/X?si=B'],
		['https://soundcloud.com/a/b?si=A&utm_source=clipboard', 'https://soundcloud.com/a/b'],
		['https://x.com/a/status/1?s=20&t=A', 'https://x.com/a/status/1'],
		['https://mobile.twitter.com/a/status/1?ref_src=twsrc%5Etfw', 'https://mobile.twitter.com/a/status/1'],
		['https://www.facebook.com/share/X/?mibextid=A', 'https://www.facebook.com/share/X/'],
		['https://m.facebook.com/a?__cft__[0]=A&__tn__=R', 'https://m.facebook.com/a?__cft__%5B0%5D=B'],
		[
			'https://www.tiktok.com/@a/video/1?is_from_webapp=1&sender_device=pc',
			'https://www.tiktok.com/@a/video/1?_t=A&_r=1',
		],
		['https://www.linkedin.com/posts/a?rcm=A&trk=B', 'https://www.linkedin.com/posts/a'],
		['https://www.reddit.com/r/a/comments/b/c/?share_id=A', 'https://www.reddit.com/r/a/comments/b/c/'],
		['https://medium.com/@a/b?source=rss', 'https://medium.com/@a/b'],
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
		['https://a.example/1?si=A', 'https://a.example/1'],
		['https://a.example/1?igsh=A', 'https://a.example/1?igsh=B'],
		['https://a.example/1?source=A', 'https://a.example/1'],
		['https://notyoutube.com/1?si=A', 'https://notyoutube.com/1'],
		['https://youtube.com.example/1?si=A', 'https://youtube.com.example/1'],
		['https://youtu.be/X?t=10', 'https://youtu.be/X'],
		['https://www.youtube.com/watch?v=X&list=A', 'https://www.youtube.com/watch?v=X'],
		['https://www.instagram.com/p/X/?img_index=1', 'https://www.instagram.com/p/X/?img_index=2'],
		['https://x.com/search?q=a', 'https://x.com/search?q=b'],
		['https://open.spotify.com/track/X?t=1', 'https://open.spotify.com/track/X'],
		['https://www.facebook.com/watch/?v=1', 'https://www.facebook.com/watch/?v=2'],
		['https://user@a.example/1', 'https://a.example/1'],
		['https://a.example:8443/1', 'https://a.example/1'],
		['not an address', 'not another address'],
	])('returns something else for %s and %s', (one, other) => {
		expect(normalizeLoosely(one)).not.toBe(normalizeLoosely(other));
	});

	const hosts = fc.constantFrom(
		'a.example',
		'www.instagram.com',
		'youtu.be',
		'm.youtube.com',
		'x.com',
		'open.spotify.com',
	);
	const names = fc.oneof(
		fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom(...'abcdefgilmnorstuvxyz_-'.match(/./g)!) }),
		fc.constantFrom(
			'v',
			'id',
			'q',
			'page',
			'ref',
			'via',
			'list',
			'index',
			'lang',
			'fbclid2',
			'utm',
			'xutm_source',
			'my_gclid',
		),
	);

	test('returns something else for any parameter that is not in the table', () => {
		fc.assert(
			fc.property(hosts, names, fc.constantFrom('', '=1'), (host, name, value) => {
				fc.pre(!TRACKING.some(([, parameters]) => parameters.split(' ').some((each) => matches(each, name))));
				const address = `https://${host}/a?b=1`;
				expect(normalizeLoosely(`${address}&${name}${value}`)).not.toBe(normalizeLoosely(address));
				expect(normalizeLoosely(`${address}&${name}=1`)).not.toBe(normalizeLoosely(`${address}&${name}=2`));
			}),
			{ numRuns: 1000 },
		);
	});

	test('returns the same for every parameter of the table, on its hosts and their subdomains only', () => {
		for (const [sites, parameters] of TRACKING) {
			for (const name of parameters.split(' ').map((each) => each.replace('*', 'x'))) {
				for (const site of sites.split(' ')) {
					const address = `https://www.${site || 'a.example'}/a`;
					expect(normalizeLoosely(`${address}?${name}=1`)).toBe(normalizeLoosely(address));
					if (site === '') continue;
					const other = `https://not${site}/a`;
					expect(normalizeLoosely(`${other}?${name}=1`)).not.toBe(normalizeLoosely(other));
				}
			}
		}
	});

	test('has a table that contains no name twice for a host, and no pattern but a name that begins so', () => {
		const all = TRACKING.flatMap(([sites, parameters]) =>
			sites.split(' ').flatMap((site) => parameters.split(' ').map((name) => `${site} ${name}`)),
		);
		expect(new Set(all).size).toBe(all.length);
		for (const each of all) expect(each).toMatch(/^(?:[a-z.]+\.[a-z]+)? \w{1,}\*?$/);
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
