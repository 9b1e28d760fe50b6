import fc from 'fast-check';

import { normalizeLoosely } from '../../../../nodes/ProfilePage/resources/links/addresses';
import { webAddresses } from '../../../support/texts';

describe('normalizeLoosely', () => {
	test.each([
		['https://a.example/1', 'https://a.example/1/'],
		['https://a.example', 'https://a.example/#top'],
		['https://a.example/1', 'https://a.example/1?utm_source=rss&utm_medium=feed'],
		['https://a.example/1', 'https://A.example/1/?utm%5Fsource=rss#comments'],
		['https://a.example/?b=1&a=2', 'https://a.example/?fbclid=x&b=1&gclid=y&a=2&igshid'],
		['https://a.example/1', 'https://a.example/1?dclid=1&msclkid=2&mc_cid=3&mc_eid=4'],
		['https://a.example/1?', 'https://a.example/1'],
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
