import { type Sandbox, startSandbox } from '../../sandbox/server';
import { REDIRECT_URI } from '../support/serviceClient';
import { authorizeUrl, Browser, type Parameters, readForm, unescape } from './browser';

const ELSEWHERE = 'https://n8n.example.com/rest/oauth2-credential/callback';
const CALLBACK_PATH = '/rest/oauth2-credential/callback';
const NASTY = `<b>"Tom's" & co</b>`;

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await startSandbox({ redirectUris: [ELSEWHERE] })));
afterAll(async () => await sandbox.close());

test('The sign-in page rejects a wrong password, and leads to the consent page', async () => {
	const browser = new Browser(sandbox);
	const again = await browser.signIn(undefined, { userName: NASTY, password: 'wrong' });
	expect(again).toMatchObject({ status: 403, location: '' });
	expect(again.text).toContain('Wrong user name or password.');
	expect(again.text).not.toContain('<b>');
	expect(browser.cookie).toBe('');
	const { action, fields } = readForm(again);
	expect(fields).toEqual({ user_name: NASTY });

	const { userName, password } = sandbox.owner;
	const { location, headers } = await browser.post(action, { user_name: userName, password });
	expect(headers['set-cookie']).toMatch(/^\w+=[0-9a-f]{64}; Path=\/manage\/access; HttpOnly; SameSite=Lax$/);
	const consent = await browser.get(location);
	for (const shown of [`<strong>${sandbox.publicApp.clientId}`, `<strong>${userName}`, 'http://localhost:5678']) {
		expect(consent.text).toContain(shown);
	}
});

describe('The consent page (RFC 6749, section 4.1.2)', () => {
	test('redirects to the app with a code and the state after Allow, and with an error after Deny', async () => {
		const state = `eyJ+/=&?#%20 <"'>`;
		const url = authorizeUrl(sandbox, { state, redirect_uri: `${REDIRECT_URI}?a=b` });
		const allowed = await new Browser(sandbox).decide('allow', url);
		expect(allowed.origin + allowed.pathname).toBe(REDIRECT_URI);
		const code = expect.stringMatching(/^\S{20,}$/) as string;
		expect(Object.fromEntries(allowed.searchParams)).toEqual({ a: 'b', code, state });

		const denied = await new Browser(sandbox).decide('deny', url);
		const error_description = 'The account owner denied the app access.';
		expect(Object.fromEntries(denied.searchParams)).toEqual({
			a: 'b',
			error: 'access_denied',
			error_description,
			state,
		});
	});
});

describe('An authorization request', () => {
	test.each([`https://127.8.9.10:1${CALLBACK_PATH}`, `http://[::1]:5678/n8n${CALLBACK_PATH}`, ELSEWHERE])(
		'is accepted with the redirect URI %s',
		async (uri) => {
			const back = await new Browser(sandbox).decide('allow', authorizeUrl(sandbox, { redirect_uri: uri }));
			expect(back.href.startsWith(`${uri}?code=`)).toBe(true);
		},
	);

	test.each<[string, Parameters, string]>([
		['a missing client_id', { client_id: '' }, 'The client_id is missing.'],
		['an unknown client_id', { client_id: 'nobody' }, 'The client_id is unknown.'],
		...[
			`http://localhost.example.com${CALLBACK_PATH}`,
			`http://user:secret@localhost${CALLBACK_PATH}`,
			`http://evil/${NASTY}`,
		].map((uri): [string, Parameters, string] => [uri, { redirect_uri: uri }, 'is not allowed']),
	])('that may not come from the app is rejected without a redirect: %s', async (_what, parameters, message) => {
		const url = authorizeUrl(sandbox, parameters);
		const { status, location, text } = await new Browser(sandbox).get(url);
		expect([status, location]).toEqual([400, '']);
		expect(unescape(text)).toContain(message);
		expect(text).not.toContain('<b>');
		const decided = await new Browser(sandbox).post(url, { decision: 'deny' });
		expect([decided.status, decided.location]).toEqual([400, '']);
	});

	test.each<[string, Parameters, string, string]>([
		['a missing response_type', { response_type: '' }, 'invalid_request', 'a state'],
		['an unsupported response_type', { response_type: 'token' }, 'unsupported_response_type', 'a state'],
		['a code_challenge that is no hash', { code_challenge: 'v'.repeat(43) }, 'invalid_request', 'a state'],
	])('that is invalid redirects to the app with an error: %s', async (_what, parameters, error, state) => {
		const { location } = await new Browser(sandbox).get(authorizeUrl(sandbox, parameters));
		const back = new URL(location);
		expect(back.origin + back.pathname).toBe(REDIRECT_URI);
		const error_description = expect.stringMatching(/^[ !#-[\]-~]+\.$/) as string;
		expect(Object.fromEntries(back.searchParams)).toEqual({ error, error_description, ...(state && { state }) });
	});
});
