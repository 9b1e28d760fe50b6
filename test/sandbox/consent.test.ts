import { Client } from 'undici';

import { type Sandbox, startSandbox } from '../../sandbox/server';
import { authorizeUrl, Browser, newCode, type Parameters, readForm, unescape, withSandbox } from './browser';
import { codeGrant, REDIRECT_URI, requestToken } from '../support/serviceClient';

const ELSEWHERE = 'https://n8n.example.com/rest/oauth2-credential/callback';
const CALLBACK_PATH = '/rest/oauth2-credential/callback';
const NASTY = `<b>"Tom's" & co</b>`;

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await startSandbox({ redirectUris: [ELSEWHERE] })));
afterAll(async () => await sandbox.close());

describe('the sign-in page', () => {
	test('comes first, and then the page that asks for consent', async () => {
		const browser = new Browser(sandbox);
		const first = await browser.get(authorizeUrl(sandbox));
		expect(first).toMatchObject({ status: 200, location: '' });
		expect(first.headers['content-type']).toContain('text/html');
		expect(first.text).toContain('type="password"');
		expect(first.text).not.toContain('Allow');

		const consent = await browser.signIn();
		expect(consent.status).toBe(200);
		expect(consent.text).toContain(`<strong>${sandbox.publicApp.clientId}</strong>`);
		expect(consent.text).toContain(`<strong>${sandbox.owner.userName}</strong>`);
		expect(consent.text).toContain('http://localhost:5678');
		expect(consent.text).toMatch(/<button[^>]*>Allow<\/button>\s*<button[^>]*>Deny<\/button>/);
	});

	test.each([
		{ userName: 'sandbox', password: 'wrong' },
		{ userName: 'wrong', password: 'sandbox-password' },
		{ userName: '', password: '' },
	])('rejects %p and can be submitted again', async (owner) => {
		const browser = new Browser(sandbox);
		const again = await browser.signIn(undefined, owner);
		expect(again).toMatchObject({ status: 403, location: '' });
		expect(again.text).toContain('Wrong user name or password.');
		expect(browser.cookie).toBe('');
		const { action, fields } = readForm(again);
		expect(fields).toEqual({ user_name: owner.userName });

		const { userName, password } = sandbox.owner;
		const { location } = await browser.post(action, { user_name: userName, password });
		expect((await browser.get(location)).text).toContain('Allow');
	});

	test('sets a random session cookie that scripts and other sites cannot read', async () => {
		const [one, other] = [new Browser(sandbox), new Browser(sandbox)];
		const { action } = readForm(await one.get(authorizeUrl(sandbox)));
		const { userName, password } = sandbox.owner;
		const { headers } = await one.post(action, { user_name: userName, password });
		expect(headers['set-cookie']).toMatch(/^\w+=[0-9a-f]{64}; Path=\/manage\/access; HttpOnly; SameSite=Lax$/);
		await other.signIn();
		expect(other.cookie).not.toBe(one.cookie);

		expect((await one.get(authorizeUrl(sandbox))).text).toContain('Allow');
	});

	test('cannot be framed by another site and is not cached', async () => {
		const { headers } = await new Browser(sandbox).get(authorizeUrl(sandbox));
		expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
		expect(headers['cache-control']).toBe('no-store');
	});
});

describe('the consent page (RFC 6749, section 4.1.2)', () => {
	test('redirects to the app with a code and the state after Allow', async () => {
		const back = await new Browser(sandbox).decide('allow');
		expect(back.origin + back.pathname).toBe(REDIRECT_URI);
		expect([...back.searchParams.keys()].sort()).toEqual(['code', 'state']);
		expect(back.searchParams.get('code')).toMatch(/^\S{20,}$/);
		expect(back.searchParams.get('state')).toBe('a state');
	});

	test('redirects to the app with the error and the state after Deny', async () => {
		const back = await new Browser(sandbox).decide('deny');
		expect(back.origin + back.pathname).toBe(REDIRECT_URI);
		expect(Object.fromEntries(back.searchParams)).toEqual({
			error: 'access_denied',
			error_description: 'The account owner denied the app access.',
			state: 'a state',
		});
	});

	test('keeps the query of the redirect URI', async () => {
		const url = authorizeUrl(sandbox, { redirect_uri: `${REDIRECT_URI}?a=b` });
		for (const decision of ['allow', 'deny'] as const) {
			const back = await new Browser(sandbox).decide(decision, url);
			expect(back.searchParams.get('a')).toBe('b');
			expect(back.searchParams.get('state')).toBe('a state');
		}
	});

	test('returns a state with any visible characters unchanged', async () => {
		const state = `eyJ+/=&?#%20 <"'>`;
		const back = await new Browser(sandbox).decide('allow', authorizeUrl(sandbox, { state }));
		expect(back.searchParams.get('state')).toBe(state);
	});

	test('does not redirect without a decision', async () => {
		const browser = new Browser(sandbox);
		const { action, fields } = readForm(await browser.signIn());
		const { status, location, text } = await browser.post(action, fields);
		expect([status, location]).toEqual([400, '']);
		expect(text).toContain('Choose Allow or Deny.');
	});
});

describe('a consent form of another site (RFC 6749, section 10.12)', () => {
	const submit = async (change: (browser: Browser, fields: Parameters) => Parameters) => {
		const browser = new Browser(sandbox);
		const { action, fields } = readForm(await browser.signIn());
		const sent = change(browser, { ...fields, decision: 'allow' });
		return await browser.post(action, sent);
	};

	test.each<[string, (browser: Browser, fields: Parameters) => Parameters]>([
		['without the CSRF token', (_browser, { decision }) => ({ decision: decision! })],
		[
			'without the CSRF token and the cookie',
			(browser, { decision }) => {
				browser.cookie = '';
				return { decision: decision! };
			},
		],
		['with an empty CSRF token', (_browser, fields) => ({ ...fields, csrf_token: '' })],
		['with a wrong CSRF token', (_browser, fields) => ({ ...fields, csrf_token: '0'.repeat(64) })],
		[
			'without the cookie',
			(browser, fields) => {
				browser.cookie = '';
				return fields;
			},
		],
	])('is rejected %s', async (_what, change) => {
		const { status, location, text } = await submit(change);
		expect([status, location]).toEqual([403, '']);
		expect(text).toContain('The form was not sent from this site');
	});

	test('is rejected with the CSRF token of another session', async () => {
		const { fields: others } = readForm(await new Browser(sandbox).signIn());
		const { status, location } = await submit(() => ({ ...others, decision: 'allow' }));
		expect([status, location]).toEqual([403, '']);
	});
});

describe('an authorization request', () => {
	test.each([
		`http://localhost${CALLBACK_PATH}`,
		`https://localhost:1${CALLBACK_PATH}`,
		`http://127.0.0.1:5678${CALLBACK_PATH}`,
		`http://127.8.9.10:5678${CALLBACK_PATH}`,
		`http://[::1]:5678${CALLBACK_PATH}`,
		`http://localhost:5678/n8n${CALLBACK_PATH}`,
		ELSEWHERE,
	])('is accepted with the redirect URI %s', async (uri) => {
		const back = await new Browser(sandbox).decide('allow', authorizeUrl(sandbox, { redirect_uri: uri }));
		expect(`${back.href}&`.startsWith(`${uri}?code=`)).toBe(true);
	});

	test.each(['', '&scope='])('is accepted without a scope: %p', async (scope) => {
		const url = authorizeUrl(sandbox, { scope: '' }) + scope;
		const code = await newCode(sandbox, url);
		expect((await requestToken(sandbox, codeGrant(code), sandbox.publicApp)).body.scope).toBe('basic');
	});

	test('is accepted with unknown parameters (RFC 6749, section 3.1)', async () => {
		expect(await newCode(sandbox, authorizeUrl(sandbox, { prompt: 'consent' }))).not.toBe('');
	});
});

describe('an authorization request that may not come from the app (RFC 6749, section 4.1.2.1)', () => {
	test.each<[string, Parameters, string]>([
		['a missing client_id', { client_id: '' }, 'The client_id is missing.'],
		['an unknown client_id', { client_id: 'nobody' }, 'The client_id is unknown.'],
		['a private app', { client_id: 'sandbox-client-id' }, 'belongs to a private app'],
		['a missing redirect_uri', { redirect_uri: '' }, 'The redirect_uri is missing.'],
		...[
			`https://evil.example.com${CALLBACK_PATH}`,
			`http://localhost.example.com${CALLBACK_PATH}`,
			`http://127.0.0.1.example.com${CALLBACK_PATH}`,
			`http://localhost@example.com${CALLBACK_PATH}`,
			`http://user:secret@localhost${CALLBACK_PATH}`,
			`http://128.0.0.1${CALLBACK_PATH}`,
			`http://[::2]${CALLBACK_PATH}`,
			'http://localhost:5678/other',
			`http://localhost/?${CALLBACK_PATH}`,
			`${REDIRECT_URI}#part`,
			`${REDIRECT_URI}#`,
			`javascript://localhost${CALLBACK_PATH}`,
			`//localhost${CALLBACK_PATH}`,
			`http://local host${CALLBACK_PATH}`,
			` ${REDIRECT_URI}`,
			`http://localhost:99999${CALLBACK_PATH}`,
			`${ELSEWHERE}?more`,
			'not a URL',
		].map((uri): [string, Parameters, string] => [uri, { redirect_uri: uri }, 'is not allowed']),
	])('shows the error without a redirect: %s', async (_what, parameters, message) => {
		const { status, location, text } = await new Browser(sandbox).get(authorizeUrl(sandbox, parameters));
		expect([status, location]).toEqual([400, '']);
		expect(unescape(text)).toContain(message);
	});

	test.each(['client_id', 'redirect_uri'])('does not redirect with a repeated %s', async (name) => {
		const url = `${authorizeUrl(sandbox)}&${new URLSearchParams({ [name]: REDIRECT_URI }).toString()}`;
		const { status, location } = await new Browser(sandbox).get(url);
		expect([status, location]).toEqual([400, '']);
	});

	test('is rejected by the forms too', async () => {
		const browser = new Browser(sandbox);
		const { fields } = readForm(await browser.signIn());
		const query = authorizeUrl(sandbox, { redirect_uri: 'http://evil.example.com/' });
		const { userName, password } = sandbox.owner;
		const responses = [
			await browser.post(query, { ...fields, decision: 'allow' }),
			await browser.post(query, { ...fields, decision: 'deny' }),
			await browser.post(query.replace('?', '/sign-in?'), { user_name: userName, password }),
		];
		expect(responses.map(({ status, location }) => [status, location])).toEqual([
			[400, ''],
			[400, ''],
			[400, ''],
		]);
	});
});

describe('an invalid authorization request (RFC 6749, section 4.1.2.1)', () => {
	test.each<[string, Parameters, string, string]>([
		['a missing response_type', { response_type: '' }, 'invalid_request', 'a state'],
		['an unsupported response_type', { response_type: 'token' }, 'unsupported_response_type', 'a state'],
		['an unsupported scope', { scope: 'everything' }, 'invalid_scope', 'a state'],
		['an additional scope', { scope: 'basic more' }, 'invalid_scope', 'a state'],
		['a short code_challenge', { code_challenge: 'x', code_challenge_method: 'S256' }, 'invalid_request', 'a state'],
		['a code_challenge that is no hash', { code_challenge: 'v'.repeat(43) }, 'invalid_request', 'a state'],
		['a missing state', { state: '' }, 'invalid_request', ''],
		['a state with a line break', { state: 'a\nb' }, 'invalid_request', 'a\nb'],
	])('redirects to the app with an error: %s', async (_what, parameters, error, state) => {
		const { location } = await new Browser(sandbox).get(authorizeUrl(sandbox, parameters));
		const back = new URL(location);
		expect(back.origin + back.pathname).toBe(REDIRECT_URI);
		expect(Object.fromEntries(back.searchParams)).toEqual({
			error,
			// The characters that RFC 6749 allows.
			error_description: expect.stringMatching(/^[ !#-[\]-~]+\.$/) as string,
			...(state && { state }),
		});
	});

	test.each(['response_type=code', 'state=b', 'scope=basic'])(
		'redirects to the app with an error: a second %s',
		async (more) => {
			const { location } = await new Browser(sandbox).get(`${authorizeUrl(sandbox)}&${more}`);
			expect(new URL(location).searchParams.get('error')).toBe('invalid_request');
		},
	);
});

describe('the sign-in and consent pages', () => {
	test('escape everything they show', async () => {
		const nasty = {
			publicApp: { clientId: `app ${NASTY}`, clientSecret: 'secret' },
			owner: { userName: `owner ${NASTY}`, password: `password ${NASTY}` },
		};
		await withSandbox(nasty, async (own) => {
			const parameters = {
				state: NASTY,
				redirect_uri: `${REDIRECT_URI}?${NASTY.replaceAll(' ', '')}`,
			};
			const url = `${authorizeUrl(own, parameters)}&${NASTY.replaceAll(' ', '')}`;
			const browser = new Browser(own);
			const rejected = await browser.signIn(url, { userName: NASTY, password: NASTY });
			const consent = await browser.signIn(url);
			const unknown = { redirect_uri: `http://evil/${NASTY}` };
			const error = await browser.get(authorizeUrl(own, unknown));

			expect(readForm(rejected).fields).toEqual({ user_name: NASTY });
			expect(unescape(consent.text)).toContain(`app ${NASTY}`);
			expect(unescape(consent.text)).toContain(`owner ${NASTY}`);
			expect(unescape(error.text)).toContain(`http://evil/${NASTY}`);
			for (const { text } of [rejected, consent, error]) {
				expect(text).not.toContain('<b>');
				expect(text).not.toContain('"Tom');
				expect(text).not.toContain("Tom's");
			}
			// The values also survive the flow.
			const back = await new Browser(own).decide('allow', authorizeUrl(own, parameters));
			const code = back.searchParams.get('code') ?? '';
			const form = codeGrant(code, parameters.redirect_uri);
			const { status } = await requestToken(own, form, own.publicApp);
			expect(status).toBe(200);
		});
	});

	test('escape a query that browsers would encode', async () => {
		// Unlike request(), this client does not encode the path.
		const client = new Client(sandbox.baseUrl);
		const path = `${authorizeUrl(sandbox)}&"><b>'`;
		const { statusCode, body } = await client.request({ method: 'GET', path });
		const text = await body.text();
		await client.close();
		expect(statusCode).toBe(200);
		expect(text).not.toContain('<b>');
		expect(unescape(text)).toContain(path.slice(path.indexOf('?')));
	});

	test('contain no secret', async () => {
		const browser = new Browser(sandbox);
		const url = authorizeUrl(sandbox);
		const pages = [
			await browser.get(url),
			await browser.signIn(url, { userName: 'sandbox', password: 'my-wrong-password' }),
			await browser.signIn(url),
		];
		for (const { text } of pages) {
			for (const secret of [
				sandbox.publicApp.clientSecret,
				sandbox.clientSecret,
				sandbox.owner.password,
				'my-wrong-password',
			]) {
				expect(text).not.toContain(secret);
			}
		}
		const missing = await browser.get('/manage/other?code=my-code');
		expect([missing.status, missing.text.includes('my-code')]).toEqual([404, false]);
	});
});
