import fc from 'fast-check';

import { isWithin, readBaseUrl, readPath } from '../../../nodes/ProfilePage/service/address';
import { Failure } from '../../../nodes/ProfilePage/shared/failure';
import { failureOf } from '../../support/failureOf';
import { anyText, webAddresses } from '../../support/texts';

const PATH = '/oauth/token';

describe('The URL of an endpoint', () => {
	test.each([
		['https://example.com', 'https://example.com/oauth/token'],
		['  https://example.com///  ', 'https://example.com/oauth/token'],
		['https://example.com/api/v2//', 'https://example.com/api/v2/oauth/token'],
		['HTTPS://Example.COM:8443/Api', 'https://example.com:8443/Api/oauth/token'],
		['http://localhost:4747', 'http://localhost:4747/oauth/token'],
		['http://127.9.8.7/', 'http://127.9.8.7/oauth/token'],
		['http://[::1]:4747', 'http://[::1]:4747/oauth/token'],
	])('at the Base URL %p is %p', (baseUrl, address) => {
		expect(`${readBaseUrl(baseUrl)}${PATH}`).toBe(address);
	});
});

describe('A Base URL is rejected', () => {
	test.each([
		['if it is empty', ''],
		['if it is not a text', 42],
		['if it has no scheme', 'example.com'],
		['if it uses http', 'http://example.com'],
		['if it uses http on a private network', 'http://192.168.1.2'],
		['if it uses another scheme', 'ftp://localhost'],
		['if it has a user name and a password', 'https://me:s3cret@example.com'],
		['if it has an empty query', 'https://example.com/?'],
		['if its path has dot segments', 'https://example.com/a/../b'],
		['if it is a host that no parser accepts', 'https://[::1'],
	])('%s, and it is not repeated', (_what, baseUrl) => {
		const failure = failureOf(() => readBaseUrl(baseUrl));
		expect(failure.problem).toBe('Base URL: the value is not a web address that starts with https://');
		expect(JSON.stringify(failure)).not.toContain('s3cret');
	});

	test('unless it is https, or http on a loopback host, for any text', () => {
		fc.assert(
			fc.property(fc.oneof(webAddresses, fc.string()), (text) => {
				let address: string;
				try {
					address = `${readBaseUrl(text)}${PATH}`;
				} catch (error) {
					expect(error).toBeInstanceOf(Failure);
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

const BASE = 'https://example.com/base';
const read = (entered: string) => readPath(entered, 'Path', BASE);

describe('The path of a request', () => {
	test.each([
		['/oauth/v1/me', '/oauth/v1/me', ''],
		['oauth/v1/me', '/oauth/v1/me', ''],
		['/a?b=c&d', '/a', 'b=c&d'],
		['?b=c', '/', 'b=c'],
		['/a..b/.well-known/...', '/a..b/.well-known/...', ''],
		['/a?u=https://example.org/../x', '/a', 'u=https://example.org/../x'],
		['/a//b', '/a//b', ''],
		['/a b/ü', '/a%20b/%C3%BC', ''],
		['/Post Malone', '/Post%20Malone', ''],
		['https://example.com/base/a?b', '/a', 'b'],
		['HTTPS://Example.com:443/base/a', '/a', ''],
		['https://example.com/base?b', '/', 'b'],
	])('is read from %j', (entered, pathname, search) => {
		expect(read(entered)).toEqual({ pathname, search });
	});

	const elsewhere = 'the request would not go to the Base URL of the credential, https://example.com/base';

	test.each([
		['/a?b#c', 'the path contains "#"'],
		['/../a', elsewhere],
		['/a/../../b', elsewhere],
		['/%2e%2E/b', elsewhere],
		['/..%2fb', elsewhere],
		['/..%5cb', elsewhere],
		['/%2f../b', elsewhere],
		['/%252e./b', elsewhere],
		['/.%09./b', elsewhere],
		['/a%3f..%2f..%2f..%2fb', elsewhere],
		['/a\n2', 'the path contains a line break, or another control character'],
		['/a?b=1\t2', 'the path contains a line break, or another control character'],
		['https://example.com/a', elsewhere],
		['https://example.com.org/base/a', elsewhere],
		['https://example.com@example.org/base/a', elsewhere],
		['https://example.com/base/../a', elsewhere],
	])('is refused if it is %j', (entered, problem) => {
		expect(() => read(entered)).toThrow(`Path: ${problem}`);
	});

	test('never leaves the Base URL, also if a server decodes it', () => {
		const pieces = ['.', '..', '/', '\\', '%2e', '%2f', '%5c', '%25', '%', '2e', ';', '?', ':', '#', '\t', ' ', 'a'];
		const piece = fc.constantFrom(...pieces, 'https:', '//', '@', 'example.com', BASE);
		const text = fc.array(piece, { maxLength: 12 }).map((all) => all.join(''));
		const entered = fc.oneof(
			text,
			text.map((path) => `${BASE}${path}`),
			webAddresses,
			anyText,
		);
		fc.assert(
			fc.property(entered, (value) => {
				let path: ReturnType<typeof read>;
				try {
					path = read(value);
				} catch (error) {
					expect(error).toBeInstanceOf(Failure);
					return;
				}
				const { pathname, search } = path;
				const url = new URL(`${BASE}${pathname}?${search}`);
				expect(url.href).toBe(`${BASE}${pathname}?${search}`);
				expect(isWithin(BASE, url)).toBe(true);
				// All but "?" and "#", which end the path of an address.
				const decoded = pathname.replace(/%(?!3f|23)([\da-f]{2})/gi, (_, hex: string) =>
					String.fromCharCode(parseInt(hex, 16)),
				);
				expect(isWithin(BASE, new URL(`${BASE}${decoded}?${search}`))).toBe(true);
			}),
			{ numRuns: 2000 },
		);
	});
});
