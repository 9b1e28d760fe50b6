import { type Sandbox, startSandbox } from '../../sandbox/server';
import { getPage, REDIRECT_URI } from '../support/serviceClient';
import { authorizeUrl, type Parameters, visit } from './browser';

const ELSEWHERE = 'https://n8n.example.com/rest/oauth2-credential/callback';
const CALLBACK_PATH = '/rest/oauth2-credential/callback';

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await startSandbox({ redirectUris: [ELSEWHERE] })));
afterAll(async () => await sandbox.close());

test('The consent page names the app and where it leads, and redirects with a code or an error (RFC 6749, section 4.1.2)', async () => {
	const state = `eyJ+/=&?#%20 <"'>`;
	const url = authorizeUrl(sandbox, { state, redirect_uri: `${REDIRECT_URI}?a=b` });
	const { text } = await visit(url);
	for (const shown of [sandbox.publicApp.clientId, 'http://localhost:5678']) expect(text).toContain(shown);
	const [allowed, denied] = [
		new URL((await visit(url, 'allow')).location),
		new URL((await visit(url, 'deny')).location),
	];
	expect(allowed.origin + allowed.pathname).toBe(REDIRECT_URI);
	const code = expect.stringMatching(/^\S{20,}$/) as string;
	expect(Object.fromEntries(allowed.searchParams)).toEqual({ a: 'b', code, state });
	const error_description = 'The account owner denied the app access.';
	const error = { error: 'access_denied', error_description };
	expect(Object.fromEntries(denied.searchParams)).toEqual({ a: 'b', ...error, state });
});

describe('An authorization request', () => {
	test.each([`https://127.8.9.10:1${CALLBACK_PATH}`, `http://[::1]:5678/n8n${CALLBACK_PATH}`, ELSEWHERE])(
		'is accepted with the redirect URI %s',
		async (uri) => {
			const { location } = await visit(authorizeUrl(sandbox, { redirect_uri: uri }), 'allow');
			expect(location.startsWith(`${uri}?code=`)).toBe(true);
		},
	);

	test.each<[string, Parameters, string]>([
		['an unknown client_id', { client_id: 'nobody' }, 'The client_id is missing, or not that of the public app.'],
		...[
			`http://localhost.example.com${CALLBACK_PATH}`,
			`http://user:secret@localhost${CALLBACK_PATH}`,
			'http://evil/<b>',
		].map((uri): [string, Parameters, string] => [uri, { redirect_uri: uri }, 'is not allowed']),
	])('that may not come from the app is rejected without a redirect: %s', async (_what, parameters, message) => {
		const url = authorizeUrl(sandbox, parameters);
		for (const decision of [undefined, 'deny'] as const) {
			const { status, location, text } = await visit(url, decision);
			expect([status, location]).toEqual([400, '']);
			expect(text).toContain(message);
		}
		expect((await getPage(sandbox, url.replace(sandbox.baseUrl, ''))).html).not.toContain('<b>');
	});

	test.each<[string, Parameters, string]>([
		['a missing response_type', { response_type: '' }, 'invalid_request'],
		['an unsupported response_type', { response_type: 'token' }, 'unsupported_response_type'],
		['a code_challenge that is no hash', { code_challenge: 'v'.repeat(43) }, 'invalid_request'],
	])('that is invalid redirects to the app with an error: %s', async (_what, parameters, error) => {
		const back = new URL((await visit(authorizeUrl(sandbox, parameters))).location);
		expect(back.origin + back.pathname).toBe(REDIRECT_URI);
		const error_description = expect.stringMatching(/^[ !#-[\]-~]+\.$/) as string;
		expect(Object.fromEntries(back.searchParams)).toEqual({ error, error_description, state: 'a state' });
	});
});
