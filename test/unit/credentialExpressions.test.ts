import fc from 'fast-check';
import { type INode, Workflow } from 'n8n-workflow';

import { ProfilePageOAuth2Api } from '../../credentials/ProfilePageOAuth2Api.credentials';
import { readBaseUrl } from '../../nodes/ProfilePage/service/address';
import { parseUrl } from '../../nodes/ProfilePage/shared/values';
import { describePlainNode } from '../../runner/plainNode';
import { webAddresses } from '../support/texts';

const PATH = '/oauth/token';
const defaultOf = (name: string) =>
	new ProfilePageOAuth2Api().properties.find((each) => each.name === name)!.default as string;
const EXPRESSION = defaultOf('accessTokenUrl');

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
		return `${readBaseUrl(baseUrl)}${PATH}`;
	} catch {
		return undefined;
	}
}

test.each([
	['https://example.com'],
	['https://example.com///'],
	['  https://example.com/api/v2/ '],
	['HTTPS://Example.COM:8443/Api'],
	['http://127.9.8.7/'],
	['http://[::1]:4747'],
	['https://[2001:db8::1]/x'],
])('the expressions resolve %p to the URL that calls use, and its host', (baseUrl) => {
	const url = `${readBaseUrl(baseUrl)}${PATH}`;
	expect(new URL(resolve(baseUrl)).href).toBe(url);
	expect(resolve(baseUrl, defaultOf('allowedDomains')).toLowerCase()).toBe(new URL(url).hostname);
});

test.each([
	['', 'an empty text'],
	['http://example.com', 'http'],
	['http://localhost.example.com', 'a host that only begins like a loopback host'],
	['http://127.0.0.1.example.com', 'a host that only begins like a loopback address'],
	['https://me:s3cret@example.com', 'a password'],
	['https://example.com/?a=1', 'a query'],
	['https://example.com//.', 'a path with a dot to resolve'],
	['ftp://localhost', 'another scheme'],
	['javascript:alert(1)//https://example.com', 'a script'],
])('the URL expression resolves %p (%s) to a text that n8n rejects with the name of the field', (baseUrl) => {
	const address = resolve(baseUrl);
	expect(isRejected(address)).toBe(true);
	expect(new URL(address).protocol).toContain('base-url-must-start-with-https');
	expect(address).not.toContain('s3cret');
	// It is no domain, so n8n sends nothing to any.
	expect(resolve(baseUrl, defaultOf('allowedDomains'))).toMatch(/^The-Base-URL-must-start-with-https/);
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
