import fc from 'fast-check';

import { Failed } from '../../../nodes/ProfilePage/service/failure';
import { isAddress, readServicePath } from '../../../nodes/ProfilePage/fields/readers';
import { anyText, webAddresses } from '../../support/texts';

const read = (value: unknown) => readServicePath(value, 'Path');
const BASE = 'https://example.com/base';

describe('readServicePath', () => {
	test.each([
		['/oauth/v1/me', '/oauth/v1/me', ''],
		['oauth/v1/me', '/oauth/v1/me', ''],
		['  /oauth/v1/me\n', '/oauth/v1/me', ''],
		['/a?b=c&d', '/a', 'b=c&d'],
		['/a?', '/a', ''],
		['?b=c', '/', 'b=c'],
		['/a..b', '/a..b', ''],
		['/.well-known/x', '/.well-known/x', ''],
		['/a...', '/a...', ''],
		['/...', '/...', ''],
		['/a?u=https://example.org/../x', '/a', 'u=https://example.org/../x'],
		['/a//b', '/a//b', ''],
		['/a/http://b', '/a/http://b', ''],
		['/a b/ü', '/a%20b/%C3%BC', ''],
		['/a%20b%2Fc', '/a%20b%2Fc', ''],
		['/100%25', '/100%25', ''],
		['/a:b', '/a:b', ''],
		['/Post Malone', '/Post%20Malone', ''],
		['a/b:c', '/a/b:c', ''],
		['/stra%C3%9Fe/%E2%82%AC/%F0%9F%98%80', '/stra%C3%9Fe/%E2%82%AC/%F0%9F%98%80', ''],
		['/日本', '/%E6%97%A5%E6%9C%AC', ''],
		[`/a?b=${'c'.repeat(5000)}`, '/a', `b=${'c'.repeat(5000)}`],
		['/Àà/…', '/%C3%80%C3%A0/%E2%80%A6', ''],
		['/日本／東京', '/%E6%97%A5%E6%9C%AC%EF%BC%8F%E6%9D%B1%E4%BA%AC', ''],
		['/\uD800', '/%EF%BF%BD', ''],
		[7, '/7', ''],
	])('reads %j', (value, pathname, search) => {
		expect(read(value)).toEqual({ pathname, search });
	});

	const host = 'the path starts with the address of a host';
	const dots = 'the path contains "." or ".."';
	const backslash = 'the path contains a backslash';
	const control = 'the path contains a control character';
	const noCharacter = 'the path contains a "%" that encodes no character: as text, write it as "%25"';
	const twice = 'the path is percent-encoded twice';

	test.each([
		['https://example.org/a', host],
		['HTTPS:example.org', host],
		['mailto:a@example.org', host],
		['//example.org/a', host],
		['/%2fexample.org', host],
		['%2F%2fexample.org', host],
		['%2fexample.org', host],
		['%252fexample.org', twice],
		['https%3A//example.org', host],
		['/\\example.org', backslash],
		['\\\\example.org', backslash],
		['/a%5cb', backslash],
		['/%u002e%u002e/b', noCharacter],
		['/a%25u002eb', twice],
		['/a%255Cb', twice],
		['..', dots],
		['/.', dots],
		['/a/../b', dots],
		['/a/./b', dots],
		['/a/..', dots],
		['../a?b', dots],
		['/a/%2e%2E/b', dots],
		['/a/.%2e', dots],
		['/a/%252e%252e/b', twice],
		['/a/%25252e./b', twice],
		['/a/%%32e%2e', noCharacter],
		['/a%2f..%2fb', dots],
		['/a/..%2fb', dots],
		['/a/..;/b', dots],
		['/a/..;x=1/b', dots],
		['/a/..%20/b', dots],
		['/..%3fx', dots],
		['/a/.%3f', dots],
		['/..%23x', dots],
		['/%c0%ae%C0%AE/b', noCharacter],
		['/a%c0%af%c0%ae%c0%ae', noCharacter],
		['/a/%e0%80%ae%f0%80%80%ae', noCharacter],
		['/100%', noCharacter],
		['/a/．．/b', dots],
		['/a/‥', dots],
		['/a/%ef%bc%8e%e2%80%a4', dots],
		['/a/％2e.', twice],
		['/a＼b', backslash],
		['／／example.org', host],
		['/a?b#c', 'the path contains "#"'],
		['/a#', 'the path contains "#"'],
		['/a\tb', control],
		['/.\t./a', control],
		['/a\r\nHost: x', control],
		['/a%0d%0ab', control],
		['/a%2500b', twice],
		['/a?b=\u0000', control],
	])('rejects %j', (value, problem) => {
		expect(() => read(value)).toThrow(`Path: ${problem}`);
	});

	test.each([
		['', 'the value is empty'],
		[undefined, 'the expression returns no value'],
		[{}, 'the value is an object, not text'],
		[`/${'a'.repeat(2000)}`, 'the path is longer than 2000 characters'],
	])('rejects %j', (value, problem) => {
		expect(() => read(value)).toThrow(`Path: ${problem}`);
	});

	test('never leaves the Base URL, however often a server decodes the path', () => {
		const piece = fc.constantFrom(
			...['.', '..', '/', '\\', '%2e', '%2f', '%5c', '%25', '%', '2e', ';', '?', ':', 'a', 'https:'],
		);
		const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
		fc.assert(
			fc.property(fc.oneof(text, webAddresses, anyText), (value) => {
				let path: ReturnType<typeof read>;
				try {
					path = read(value);
				} catch (error) {
					expect(error).toBeInstanceOf(Failed);
					return;
				}
				let pathname = path.pathname;
				for (let round = 0; round < 12; round += 1) {
					const url = new URL(`${BASE}${pathname.replaceAll('?', '%3f')}`);
					expect(url.origin).toBe('https://example.com');
					expect(url.pathname).toMatch(/^\/base\//);
					expect(url.pathname.split('/')).not.toContain('..');
					pathname = pathname.replace(/%([\da-f]{2})/gi, (_, hex: string) =>
						String.fromCharCode(Number.parseInt(hex, 16)),
					);
				}
			}),
			{ numRuns: 2000 },
		);
	});
});

describe('The address of an endpoint', () => {
	test.each([
		['https://example.com/base/a?b', { pathname: '/a', search: 'b' }],
		[' HTTPS://Example.com:443/base/a', { pathname: '/a', search: '' }],
		['https://example.com/base?b', { pathname: '/', search: 'b' }],
		['https://example.com/base\n', { pathname: '/', search: '' }],
	])('is read from %j if it starts with the Base URL', (address, path) => {
		expect(readServicePath(address, 'Path', BASE)).toEqual(path);
	});

	test.each(['https://example.com/based/a', 'https://example.com/a', 'https://example.com.org/base/a'])(
		'is refused if it does not: %j',
		(address) => {
			const read = () => readServicePath(address, 'Path', BASE);
			expect(read).toThrow(`Path: the address does not start with the Base URL of the credential, ${BASE}`);
		},
	);
});

test.each([
	['https://example.com/a', true],
	[' HTTP://example.com', true],
	['/https://example.com', false],
	['ftp://example.com', false],
	[['https://example.com/a'], false],
	[undefined, false],
])('isAddress: %j is the address of an endpoint: %p', (value, expected) => {
	expect(isAddress(value)).toBe(expected);
});
