import fc from 'fast-check';

import { serviceUrl } from '../../nodes/ProfilePage/transport/baseUrl';

const PATH = '/oauth/token';

describe('the address of a path', () => {
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
	])('of %p is %p', (baseUrl, address) => {
		expect(serviceUrl(baseUrl, PATH)).toBe(address);
	});

	test('of a host with letters beyond ASCII is found, however often', () => {
		for (let times = 0; times < 50_000; times += 1) {
			expect(serviceUrl('https://münchen.example', PATH)).toContain('https://xn--mnchen-3ya.');
		}
	});

	test('keeps any path prefix and drops any number of slashes after it', () => {
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

describe('a Base URL is refused', () => {
	test.each([
		['that is empty', '', /^Base URL: it is empty\. Enter/],
		['of white space', '  ', /is empty/],
		['that is no text', 42, /is empty/],
		['without a scheme', 'example.com', /not a web address/],
		['with a scheme alone', 'https://', /not a web address/],
		['of plain http', 'http://example.com', /must start with https/],
		['of plain http on a private network', 'http://192.168.1.2', /must start with https/],
		['whose host only begins like loopback', 'http://localhost.example.com', /https/],
		['whose host only looks like loopback', 'http://127.0.0.1.example.com', /https/],
		['of another scheme', 'ftp://localhost', /must start with https/],
		['with a user and a password', 'https://me:s3cret@example.com', /user name or password/],
		['with a user', 'https://me@example.com', /user name or password/],
		['with a query', 'https://example.com/?a=1', /"\?" or "#"/],
		['with an empty query', 'https://example.com/?', /"\?" or "#"/],
		['with a fragment', 'https://example.com/#top', /"\?" or "#"/],
	])('%s', (_what, baseUrl, message) => {
		expect(() => serviceUrl(baseUrl, PATH)).toThrow(message);
	});

	test('without repeating what it holds', () => {
		expect(() => serviceUrl('https://me:s3cret@example.com', PATH)).not.toThrow(/s3cret/);
	});

	test('unless it is https, or http on loopback, whatever the text', () => {
		fc.assert(
			fc.property(fc.oneof(fc.webUrl({ validSchemes: ['http', 'https'] }), fc.string()), (text) => {
				let address: string;
				try {
					address = serviceUrl(text, PATH);
				} catch (error) {
					expect(error).toMatchObject({ name: 'FieldError' });
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
