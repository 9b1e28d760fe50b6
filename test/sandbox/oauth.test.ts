import { createHash } from 'node:crypto';

import { request } from 'undici';

import { type Sandbox, startSandbox } from '../../sandbox/server';
import { advanceDate } from '../support/dates';
import { codeGrant, FORM, getProfileStatus, REDIRECT_URI, refreshGrant, requestToken } from '../support/serviceClient';

/** What a public app, its user, and a private app rely on. */

const CALLBACK_PATH = '/rest/oauth2-credential/callback';
const TOKEN = expect.stringMatching(/^\S{20,}$/) as string;

type Parameters = Record<string, string>;

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await startSandbox()));
afterAll(async () => await sandbox.close());
afterEach(() => {
	sandbox.oauth.resetLifetime();
	jest.useRealTimers();
});

/** Opens the consent page with the parameters that n8n sends, or submits its form. Follows no redirect. */
async function visit(parameters: Parameters, decision?: 'allow' | 'deny') {
	const usual = {
		client_id: sandbox.publicApp.clientId,
		redirect_uri: REDIRECT_URI,
		response_type: 'code',
		state: 's',
	};
	const query = new URLSearchParams({ ...usual, ...parameters });
	const { statusCode, headers, body } = await request(`${sandbox.baseUrl}/manage/access?${query.toString()}`, {
		method: decision ? 'POST' : 'GET',
		headers: { 'content-type': FORM },
		body: decision ? `decision=${decision}` : null,
	});
	return { status: statusCode, text: await body.text(), location: [headers.location ?? ''].flat()[0]! };
}

/** What the app gets by the redirect. */
async function returned(parameters: Parameters, decision: 'allow' | 'deny') {
	const url = new URL((await visit(parameters, decision)).location);
	return { target: url.origin + url.pathname, query: Object.fromEntries(url.searchParams) };
}

const newCode = async (parameters: Parameters = {}) => (await returned(parameters, 'allow')).query.code!;
const exchange = async (form: Parameters, app = sandbox.publicApp) => await requestToken(sandbox, form, app);
const connect = async () => (await exchange(codeGrant(await newCode()))).body;
const rejection = (error: string) => ({ status: 400, body: { error } });

describe('The consent page (RFC 6749, section 4.1)', () => {
	test('names the app and where it leads, and redirects with a code or an error', async () => {
		const parameters = { state: `eyJ+/=&?#%20 <"'>`, redirect_uri: `${REDIRECT_URI}?a=b` };
		const { text } = await visit(parameters);
		for (const shown of [sandbox.publicApp.clientId, 'http://localhost:5678']) expect(text).toContain(shown);
		const common = { a: 'b', state: parameters.state };
		const allowed = await returned(parameters, 'allow');
		expect(allowed).toEqual({ target: REDIRECT_URI, query: { ...common, code: TOKEN } });
		const error_description = 'The account owner denied the app access.';
		const denied = await returned(parameters, 'deny');
		expect(denied.query).toEqual({ ...common, error: 'access_denied', error_description });
	});

	test('leads to an n8n on this machine, on any port and path', async () => {
		const uri = `http://[::1]:5678/n8n${CALLBACK_PATH}`;
		expect((await returned({ redirect_uri: uri }, 'allow')).target).toBe(uri);
	});

	test.each<Parameters>([
		{ client_id: 'nobody' },
		{ redirect_uri: `http://localhost.example.com${CALLBACK_PATH}` },
		{ redirect_uri: `http://user:secret@localhost${CALLBACK_PATH}` },
		{ redirect_uri: 'http://evil/<b>' },
		{ response_type: 'token' },
		{ scope: 'all' },
		{ code_challenge: 'v'.repeat(43), code_challenge_method: 'plain' },
	])('redirects nowhere for the invalid request %j', async (parameters) => {
		for (const decision of [undefined, 'deny'] as const) {
			expect(await visit(parameters, decision)).toMatchObject({ status: 400, location: '' });
		}
	});
});

describe('An authorization code (RFC 6749, section 4.1.3)', () => {
	test('is exchanged for an access token and a refresh token', async () => {
		const { status, body } = await exchange(codeGrant(await newCode()));
		const others = { expires_in: 3600, token_type: 'Bearer', scope: 'basic' };
		expect([status, body]).toEqual([200, { access_token: TOKEN, refresh_token: TOKEN, ...others }]);
		expect(await getProfileStatus(sandbox, body.access_token)).toBe(200);
		expect(await getProfileStatus(sandbox, body.refresh_token)).toBe(401);
	});

	test('that was asked for with PKCE needs the verifier (RFC 7636, section 4.6)', async () => {
		const verifier = 'v'.repeat(43);
		const code_challenge = createHash('sha256').update(verifier).digest('base64url');
		const verify = async (others: object) => {
			const code = await newCode({ code_challenge, code_challenge_method: 'S256' });
			return await exchange({ ...codeGrant(code), ...others });
		};
		expect(await verify({ code_verifier: verifier })).toMatchObject({ status: 200 });
		for (const others of [{}, { code_verifier: 'w'.repeat(43) }]) {
			expect(await verify(others)).toMatchObject(rejection('invalid_grant'));
		}
	});

	test('works once, and its tokens are revoked when it is used again', async () => {
		const code = await newCode();
		const first = await exchange(codeGrant(code));
		const refreshed = await exchange(refreshGrant(first.body.refresh_token));
		const others = await connect();
		const second = [codeGrant(code), refreshGrant(refreshed.body.refresh_token)];
		for (const form of second) expect(await exchange(form)).toMatchObject(rejection('invalid_grant'));
		for (const { body } of [first, refreshed]) expect(await getProfileStatus(sandbox, body.access_token)).toBe(401);
		expect(await getProfileStatus(sandbox, others.access_token)).toBe(200);
	});

	test('is rejected with another redirect_uri, and after a minute', async () => {
		const code = await newCode();
		const other = codeGrant(await newCode(), `${REDIRECT_URI}?`);
		expect(await exchange(other)).toMatchObject(rejection('invalid_grant'));
		advanceDate(61_000);
		expect(await exchange(codeGrant(code))).toMatchObject(rejection('invalid_grant'));
	});
});

test('A refresh token works once, and longer than access tokens, but not longer than the consent', async () => {
	const first = await connect();
	sandbox.oauth.revokeAccessTokens();
	expect(await getProfileStatus(sandbox, first.access_token)).toBe(401);
	const { body: second } = await exchange(refreshGrant(first.refresh_token));
	expect(new Set([first, second].flatMap((body) => [body.access_token, body.refresh_token])).size).toBe(4);
	expect(await exchange(refreshGrant(first.refresh_token))).toMatchObject(rejection('invalid_grant'));
	expect(await getProfileStatus(sandbox, second.access_token)).toBe(200);
	advanceDate(3_601_000);
	expect(await getProfileStatus(sandbox, second.access_token)).toBe(401);
	const { body: third } = await exchange(refreshGrant(second.refresh_token));
	sandbox.oauth.revokeConsents();
	expect(await getProfileStatus(sandbox, third.access_token)).toBe(401);
	expect(await exchange(refreshGrant(third.refresh_token))).toMatchObject(rejection('invalid_grant'));
});

test.each<[string, Parameters, string]>([
	['client_credentials', {}, 'public'],
	['authorization_code', { code: 'c', redirect_uri: REDIRECT_URI }, 'private'],
	['refresh_token', { refresh_token: 'r' }, 'private'],
])('The token endpoint rejects the grant %s with %p for a %s app', async (grant, fields, kind) => {
	const app = kind === 'private' ? sandbox : sandbox.publicApp;
	expect(await exchange({ grant_type: grant, ...fields }, app)).toMatchObject(rejection('unauthorized_client'));
});
