import { createHash } from 'node:crypto';

import type { App } from '../../sandbox/oauth/apps';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { advanceDate } from '../support/dates';
import { authorizeUrl, newCode, type Parameters, withSandbox } from './browser';
import { codeGrant, getProfileStatus, post, REDIRECT_URI, refreshGrant, requestToken } from '../support/serviceClient';

const ELSEWHERE = 'https://n8n.example.com/rest/oauth2-credential/callback';

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await startSandbox({ redirectUris: [ELSEWHERE] })));
afterAll(async () => await sandbox.close());
afterEach(() => jest.useRealTimers());

const requestPublicToken = async (at: Sandbox, form: Parameters | string, app: App = at.publicApp) =>
	await requestToken(at, form, app);

/** Runs the whole flow and returns the token response. */
const connect = async (at: Sandbox) => (await requestPublicToken(at, codeGrant(await newCode(at)))).body;

describe('an authorization code (RFC 6749, sections 4.1.3 and 4.1.4)', () => {
	test('is exchanged for an access token and a refresh token', async () => {
		const { status, body } = await requestPublicToken(sandbox, codeGrant(await newCode(sandbox)));
		expect(status).toBe(200);
		expect(body).toEqual({
			access_token: expect.stringMatching(/^\S{20,}$/) as string,
			refresh_token: expect.stringMatching(/^\S{20,}$/) as string,
			expires_in: 3600,
			token_type: 'Bearer',
			scope: 'basic',
		});
		expect(body.access_token).not.toBe(body.refresh_token);
		expect(await getProfileStatus(sandbox, body.access_token)).toBe(200);
		expect(await getProfileStatus(sandbox, body.refresh_token)).toBe(401);
	});

	test('that was asked for with PKCE needs the verifier (RFC 7636, section 4.6)', async () => {
		const verifier = 'v'.repeat(43);
		const code_challenge = createHash('sha256').update(verifier).digest('base64url');
		const newForm = async () =>
			codeGrant(await newCode(sandbox, authorizeUrl(sandbox, { code_challenge, code_challenge_method: 'S256' })));
		const exchange = async (others: object) => await requestPublicToken(sandbox, { ...(await newForm()), ...others });
		expect(await exchange({ code_verifier: verifier })).toMatchObject({ status: 200 });
		for (const others of [{}, { code_verifier: 'w'.repeat(43) }]) {
			expect(await exchange(others)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
		}
	});

	test('works once, and its tokens are revoked when it is used again', async () => {
		const code = await newCode(sandbox);
		const first = await requestPublicToken(sandbox, codeGrant(code));
		const refreshed = await requestPublicToken(sandbox, refreshGrant(first.body.refresh_token));
		const others = await connect(sandbox);

		const second = await requestPublicToken(sandbox, codeGrant(code));
		expect(second).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
		expect(await getProfileStatus(sandbox, first.body.access_token)).toBe(401);
		expect(await getProfileStatus(sandbox, refreshed.body.access_token)).toBe(401);
		expect(await requestPublicToken(sandbox, refreshGrant(refreshed.body.refresh_token))).toMatchObject({
			status: 400,
			body: { error: 'invalid_grant' },
		});
		expect(await getProfileStatus(sandbox, others.access_token)).toBe(200);
	});

	test('leaves no valid token when it is used twice at the same time', async () => {
		const code = await newCode(sandbox);
		const responses = await Promise.all([
			requestPublicToken(sandbox, codeGrant(code)),
			requestPublicToken(sandbox, codeGrant(code)),
		]);
		expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
		const { body } = responses.find(({ status }) => status === 200)!;
		expect(await getProfileStatus(sandbox, body.access_token)).toBe(401);
	});

	test('expires', async () => {
		const { status, body } = await withSandbox({ codeLifetime: 60 }, async (own) => {
			const code = await newCode(own);
			advanceDate(61_000);
			return await requestPublicToken(own, codeGrant(code));
		});
		expect([status, body.error]).toEqual([400, 'invalid_grant']);
	});

	test.each(['http://127.0.0.1:5678/rest/oauth2-credential/callback', `${REDIRECT_URI}?`, ELSEWHERE, 'x'])(
		'is rejected with the different redirect_uri %p',
		async (uri) => {
			const response = await requestPublicToken(sandbox, codeGrant(await newCode(sandbox), uri));
			expect(response).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
			expect(response.body.access_token).toBeUndefined();
		},
	);

	test.each(['never-issued', 'line\nbreak'])('is rejected if it is %p', async (code) => {
		const { status, body } = await requestPublicToken(sandbox, codeGrant(code));
		expect([status, body.error]).toEqual([400, 'invalid_grant']);
		expect(JSON.stringify(body)).not.toContain(code);
	});

	test('stays valid after an attempt with a wrong secret or another app', async () => {
		const code = await newCode(sandbox);
		const { clientId } = sandbox.publicApp;
		const stolen = await requestPublicToken(sandbox, codeGrant(code), {
			clientId,
			clientSecret: 'wrong',
		});
		expect([stolen.status, stolen.body.error]).toEqual([401, 'invalid_client']);
		const byPrivateApp = await requestPublicToken(sandbox, codeGrant(code), sandbox);
		expect([byPrivateApp.status, byPrivateApp.body.error]).toEqual([400, 'unauthorized_client']);
		expect((await requestPublicToken(sandbox, codeGrant(code))).status).toBe(200);
	});
});

describe('a refresh token (RFC 6749, section 6)', () => {
	test('is exchanged for new tokens and works once', async () => {
		const before = await connect(sandbox);
		const { status, body } = await requestPublicToken(sandbox, refreshGrant(before.refresh_token));
		expect(status).toBe(200);
		expect(body).toMatchObject({ expires_in: 3600, token_type: 'Bearer', scope: 'basic' });
		expect(new Set([...Object.values(before), ...Object.values(body)]).size).toBe(4 + 3);
		expect(await getProfileStatus(sandbox, body.access_token)).toBe(200);

		const again = await requestPublicToken(sandbox, refreshGrant(before.refresh_token));
		expect([again.status, again.body.error]).toEqual([400, 'invalid_grant']);
		expect((await requestPublicToken(sandbox, refreshGrant(body.refresh_token))).status).toBe(200);
	});

	test.each(['basic', ''])('can be sent with the scope %p', async (scope) => {
		const { refresh_token: refreshToken } = await connect(sandbox);
		const { status } = await requestPublicToken(sandbox, { ...refreshGrant(refreshToken), scope });
		expect(status).toBe(200);
	});

	test('is rejected with a wider scope, and stays valid', async () => {
		const { refresh_token: refreshToken } = await connect(sandbox);
		const form = refreshGrant(refreshToken);
		const wider = await requestPublicToken(sandbox, { ...form, scope: 'basic more' });
		expect([wider.status, wider.body.error]).toEqual([400, 'invalid_scope']);
		expect((await requestPublicToken(sandbox, form)).status).toBe(200);
	});

	test('is rejected if it is an access token or was never issued', async () => {
		const { access_token: accessToken } = await connect(sandbox);
		for (const wrong of [accessToken!, 'never-issued']) {
			const { status, body } = await requestPublicToken(sandbox, refreshGrant(wrong));
			expect([status, body.error]).toEqual([400, 'invalid_grant']);
			expect(JSON.stringify(body)).not.toContain(wrong);
		}
	});

	test('stays valid after its access token expires', async () => {
		await withSandbox({ tokenLifetime: 60 }, async (own) => {
			const granted = await connect(own);
			advanceDate(61_000);
			expect(await getProfileStatus(own, granted.access_token)).toBe(401);
			const { body } = await requestPublicToken(own, refreshGrant(granted.refresh_token));
			expect(await getProfileStatus(own, body.access_token)).toBe(200);
		});
	});

	test('stays valid when access tokens are revoked, but not when the consent is', async () => {
		const unused = await newCode(sandbox);
		const first = await connect(sandbox);
		sandbox.oauth.revokeAccessTokens();
		expect(await getProfileStatus(sandbox, first.access_token)).toBe(401);
		const { status, body } = await requestPublicToken(sandbox, refreshGrant(first.refresh_token));
		expect([status, await getProfileStatus(sandbox, body.access_token)]).toEqual([200, 200]);

		sandbox.oauth.revokeConsents();
		expect(await getProfileStatus(sandbox, body.access_token)).toBe(401);
		for (const form of [refreshGrant(body.refresh_token), codeGrant(unused)]) {
			const rejected = await requestPublicToken(sandbox, form);
			expect([rejected.status, rejected.body.error]).toEqual([400, 'invalid_grant']);
		}
		expect(await getProfileStatus(sandbox, (await connect(sandbox)).access_token)).toBe(200);
	});
});

describe('the token endpoint', () => {
	test.each<[string, Parameters, string]>([
		['client_credentials', {}, 'public'],
		['authorization_code', { code: 'c', redirect_uri: REDIRECT_URI }, 'private'],
		['refresh_token', { refresh_token: 'r' }, 'private'],
	])('rejects the grant %s with %p for a %s app', async (grant, fields, kind) => {
		const app = kind === 'private' ? sandbox : sandbox.publicApp;
		const { status, body } = await requestPublicToken(sandbox, { grant_type: grant, ...fields }, app);
		expect([status, body.error]).toEqual([400, 'unauthorized_client']);
	});

	test('rejects an unsupported grant', async () => {
		const form = { grant_type: 'password', username: 'u', password: 'p' };
		const { status, body } = await requestPublicToken(sandbox, form);
		expect([status, body.error]).toEqual([400, 'unsupported_grant_type']);
	});

	test.each([
		'grant_type=authorization_code',
		`grant_type=authorization_code&redirect_uri=${encodeURIComponent(REDIRECT_URI)}`,
		'grant_type=authorization_code&code=x',
		'grant_type=authorization_code&code=&redirect_uri=http://localhost/',
		'grant_type=authorization_code&code=x&code=x&redirect_uri=http://localhost/',
		'grant_type=authorization_code&code=x&redirect_uri=http://localhost/&scope=basic',
		'grant_type=authorization_code&code=x&redirect_uri=http://localhost/&client_id=x',
		'grant_type=refresh_token',
		'grant_type=refresh_token&refresh_token=',
		'grant_type=refresh_token&refresh_token=x&refresh_token=x',
		'grant_type=refresh_token&refresh_token=x&redirect_uri=x',
		'grant_type=refresh_token&refresh_token=x&scope=basic&scope=basic',
		'grant_type=refresh_token&grant_type=refresh_token&refresh_token=x',
		'refresh_token=x',
	])('rejects the form %p', async (form) => {
		const { status, body } = await requestPublicToken(sandbox, form);
		expect([status, body.error]).toEqual([400, 'invalid_request']);
	});

	test('accepts IDs and secrets with any characters', async () => {
		const options = {
			clientId: 'müller:app',
			clientSecret: 'geheim ☂',
			publicApp: { clientId: 'ключ & co', clientSecret: 'a:b ☂' },
		};
		await withSandbox(options, async (own) => {
			expect(await getProfileStatus(own, (await connect(own)).access_token)).toBe(200);
			const { status } = await requestPublicToken(own, { grant_type: 'client_credentials' }, own);
			expect(status).toBe(200);
		});
	});
});

describe('a public app that sends its ID and secret in the form (RFC 6749, section 2.3.1)', () => {
	const grant = async (form: Parameters, { clientId, clientSecret }: App) =>
		await post(sandbox, '/oauth/token', {
			...(form as Record<string, string>),
			client_id: clientId,
			client_secret: clientSecret,
		});

	test('gets tokens for a code and for a refresh token', async () => {
		const { publicApp } = sandbox;
		const first = await grant(codeGrant(await newCode(sandbox)), publicApp);
		expect(first.status).toBe(200);
		const next = await grant(refreshGrant(first.body.refresh_token), publicApp);
		expect(next.status).toBe(200);
		expect(await getProfileStatus(sandbox, next.body.access_token)).toBe(200);
	});

	test('is rejected with a wrong secret, or without one', async () => {
		const code = await newCode(sandbox);
		const { clientId } = sandbox.publicApp;
		const wrong = await grant(codeGrant(code), { clientId, clientSecret: 'wrong' });
		expect([wrong.status, wrong.body.error]).toEqual([401, 'invalid_client']);
		const missing = await post(sandbox, '/oauth/token', {
			...codeGrant(code),
			client_id: clientId,
		});
		expect([missing.status, missing.body.error]).toEqual([401, 'invalid_client']);
	});

	test('must not use both ways at once', async () => {
		const { clientId } = sandbox.publicApp;
		const form = { ...codeGrant(await newCode(sandbox)), client_id: clientId, client_secret: 'x' };
		const { status, body } = await requestPublicToken(sandbox, form);
		expect([status, body.error]).toEqual([400, 'invalid_request']);
	});
});
