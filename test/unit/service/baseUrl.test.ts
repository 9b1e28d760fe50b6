import fc from 'fast-check';
import { type INode, Workflow } from 'n8n-workflow';

import { SERVICE_HOST_EXPRESSION, serviceUrl, serviceUrlExpression } from '../../../nodes/ProfilePage/service/baseUrl';
import { Failed } from '../../../nodes/ProfilePage/service/failure';
import { inOneText } from '../../../nodes/ProfilePage/service/words';
import { parseUrl } from '../../../nodes/ProfilePage/shared/values';
import { describePlainNode } from '../../../runner/plainNode';
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

const EXPRESSION = serviceUrlExpression(PATH);

const node: INode = {
	id: 'node',
	name: 'Node',
	type: 'plain',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
const plainNode = { description: describePlainNode('plain') };
const workflow = new Workflow({
	nodes: [node],
	connections: {},
	active: false,
	nodeTypes: {
		getByName: () => plainNode,
		getByNameAndVersion: () => plainNode,
		getKnownTypes: () => ({}),
	},
});

/** Resolves an expression as n8n does for a field of a credential. */
function resolve(baseUrl: string, expression = EXPRESSION): string {
	const self = { baseUrl };
	return workflow.expression.getParameterValue(
		expression,
		null,
		0,
		0,
		node.name,
		[],
		'internal',
		{},
		undefined,
		false,
		self,
	) as string;
}

/** Whether n8n rejects the address before it sends a request. */
const isRejected = (address: string) => !['http:', 'https:'].includes(parseUrl(address)?.protocol ?? '');

function allowed(baseUrl: string): string | undefined {
	try {
		return serviceUrl(baseUrl, PATH);
	} catch {
		return undefined;
	}
}

test.each([
	['https://example.com'],
	['https://example.com///'],
	['  https://example.com/api/v2/ '],
	['HTTPS://Example.COM:8443/Api'],
	['http://localhost:4747'],
	['http://127.9.8.7/'],
	['http://[::1]:4747'],
	['https://[2001:db8::1]/x'],
])('the expressions resolve %p to the URL that calls use, and its host', (baseUrl) => {
	const url = serviceUrl(baseUrl, PATH);
	expect(new URL(resolve(baseUrl)).href).toBe(url);
	expect(resolve(baseUrl, SERVICE_HOST_EXPRESSION).toLowerCase()).toBe(new URL(url).hostname);
});

test.each([
	['', 'an empty text'],
	['example.com', 'no scheme'],
	['http://example.com', 'http'],
	['http://localhost.example.com', 'a host that only begins like a loopback host'],
	['http://127.0.0.1.example.com', 'a host that only begins like a loopback address'],
	['https://me:s3cret@example.com', 'a password'],
	['https://me@example.com', 'a user name'],
	['https://example.com/?a=1', 'a query'],
	['https://example.com/#top', 'a fragment'],
	['https://example.com//.', 'a path with a dot to resolve'],
	['https://example.com/a/%2E./b', 'a path with dots to resolve, encoded'],
	['ftp://localhost', 'another scheme'],
	['javascript:alert(1)//https://example.com', 'a script'],
])('the URL expression resolves %p (%s) to a text that n8n rejects with the name of the field', (baseUrl) => {
	const address = resolve(baseUrl);
	expect(isRejected(address)).toBe(true);
	expect(new URL(address).protocol).toContain('base-url-must-start-with-https');
	expect(address).not.toContain('s3cret');
	// It is no domain, so n8n sends nothing to any.
	expect(resolve(baseUrl, SERVICE_HOST_EXPRESSION)).toMatch(/^The-Base-URL-must-start-with-https/);
});

test('the URL expression never resolves to a URL that calls would not use, for any text', () => {
	const prefix = fc.constantFrom('', ' ', 'https://', 'http://localhost', 'http://127.0.0.1', 'http://');
	const text = fc.oneof(fc.string({ unit: 'grapheme' }), webAddresses, fc.webAuthority());
	fc.assert(
		fc.property(prefix, text, (start, rest) => {
			const baseUrl = start + rest;
			const address = resolve(baseUrl);
			if (isRejected(address)) return;
			expect(new URL(address).href).toBe(allowed(baseUrl));
		}),
		{ numRuns: 500 },
	);
});
