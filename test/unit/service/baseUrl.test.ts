import fc from 'fast-check';

import { serviceUrl } from '../../../nodes/ProfilePage/service/baseUrl';
import { Failed } from '../../../nodes/ProfilePage/service/failure';
import { inOneText } from '../../../nodes/ProfilePage/service/words';
import { webAddresses } from '../../support/texts';

const PATH = '/oauth/token';

describe('The URL of an endpoint', () => {
	test.each([
		['https://example.com', 'https://example.com/oauth/token'],
		['https://example.com/', 'https://example.com/oauth/token'],
		['https://example.com///', 'https://example.com/oauth/token'],
		['  https://example.com  ', 'https://example.com/oauth/token'],
		['https://example.com/api', 'https://example.com/api/oauth/token'],
		['https://example.com/api/v2//', 'https://example.com/api/v2/oauth/token'],
		['HTTPS://Example.COM:8443/Api', 'https://example.com:8443/Api/oauth/token'],
		['http://localhost:4747', 'http://localhost:4747/oauth/token'],
		['http://127.0.0.1:4747/', 'http://127.0.0.1:4747/oauth/token'],
		['http://127.9.8.7', 'http://127.9.8.7/oauth/token'],
		['http://[::1]:4747', 'http://[::1]:4747/oauth/token'],
	])('at the Base URL %p is %p', (baseUrl, address) => {
		expect(serviceUrl(baseUrl, PATH)).toBe(address);
	});

	test('at a host with non-ASCII letters is resolved each time', () => {
		const urls = Array.from({ length: 50_000 }, () => serviceUrl('https://münchen.example', PATH));
		expect(new Set(urls)).toEqual(new Set(['https://xn--mnchen-3ya.example/oauth/token']));
	});

	test('keeps any path prefix and drops trailing slashes', () => {
		const segment = fc.stringMatching(/^[a-z0-9_~-]{1,8}$/);
		fc.assert(
			fc.property(fc.array(segment), fc.nat(5), (segments, slashes) => {
				const prefix = segments.map((name) => `/${name}`).join('');
				const baseUrl = `https://example.com${prefix}${'/'.repeat(slashes)}`;
				expect(serviceUrl(baseUrl, PATH)).toBe(`https://example.com${prefix}${PATH}`);
			}),
		);
	});
});

/** Returns the error for a Base URL that cannot be used. */
function reject(baseUrl: unknown): Failed {
	try {
		serviceUrl(baseUrl, PATH);
	} catch (error) {
		if (error instanceof Failed) return error;
	}
	throw new Error('The Base URL is accepted');
}

describe('A Base URL is rejected', () => {
	test.each([
		['if it is empty', '', /^Base URL: the value is empty\. Enter/],
		['if it is white space', '  ', /is empty/],
		['if it is not a text', 42, /is empty/],
		['if it has no scheme', 'example.com', /not a web address/],
		['if it is only a scheme', 'https://', /not a web address/],
		['if it uses http', 'http://example.com', /does not start with https/],
		['if it uses http on a private network', 'http://192.168.1.2', /does not start with https/],
		['if its host only begins like a loopback host', 'http://localhost.example.com', /does not start with https/],
		['if its host only begins like a loopback address', 'http://127.0.0.1.example.com', /does not start with https/],
		['if it uses another scheme', 'ftp://localhost', /does not start with https/],
		['if it has a user name and a password', 'https://me:s3cret@example.com', /user name or password/],
		['if it has a user name', 'https://me@example.com', /user name or password/],
		['if it has a query', 'https://example.com/?a=1', /"\?" or "#"/],
		['if it has an empty query', 'https://example.com/?', /"\?" or "#"/],
		['if it has a fragment', 'https://example.com/#top', /"\?" or "#"/],
	])('%s', (_what, baseUrl, message) => {
		expect(inOneText(reject(baseUrl).failure)).toMatch(message);
	});

	test('without quoting the password in it', () => {
		expect(inOneText(reject('https://me:s3cret@example.com').failure)).not.toContain('s3cret');
	});

	test('unless it is https, or http on a loopback host, for any text', () => {
		fc.assert(
			fc.property(fc.oneof(webAddresses, fc.string()), (text) => {
				let address: string;
				try {
					address = serviceUrl(text, PATH);
				} catch (error) {
					expect(error).toBeInstanceOf(Failed);
					return;
				}
				const { protocol, hostname, username, search, hash } = new URL(address);
				expect(address.endsWith(PATH)).toBe(true);
				expect(protocol === 'https:' || hostname === 'localhost').toBe(true);
				expect(username + search + hash).toBe('');
			}),
		);
	});
});
