import { createHash } from 'node:crypto';

import type { App } from '../../sandbox/oauth/apps';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { advanceDate } from '../support/dates';
import {
	codeGrant,
	getProfileStatus,
	newToken,
	REDIRECT_URI,
	refreshGrant,
	requestToken,
} from '../support/serviceClient';
import { authorizeUrl, newCode, type Parameters } from './browser';

const SHOP = { clientId: 'shop', clientSecret: 'shop-secret' };

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await startSandbox({ privateApps: [SHOP] })));
afterAll(async () => await sandbox.close());
beforeEach(() => sandbox.oauth.resetLifetime());
afterEach(() => jest.useRealTimers());

const requestPublicToken = async (form: Parameters | string, app: App = sandbox.publicApp) =>
	await requestToken(sandbox, form, app);

/** Runs the whole flow and returns the token response. */
const connect = async () => (await requestPublicToken(codeGrant(await newCode(sandbox)))).body;

/** What the token endpoint responds to a grant that it rejects. */
const rejection = (error: string, status = 400) => ({ status, body: { error } });

describe('The token lifetime', () => {
	test('can be changed for tokens that are issued later', async () => {
		const longLived = await newToken(sandbox);
		sandbox.oauth.tokenLifetime = 60;
		const { body } = await requestToken(sandbox);
		expect(body.expires_in).toBe(60);
		advanceDate(61_000);
		expect(await getProfileStatus(sandbox, body.access_token)).toBe(401);
		expect(await getProfileStatus(sandbox, longLived)).toBe(200);
	});
});

describe('An authorization code (RFC 6749, sections 4.1.3 and 4.1.4)', () => {
	test('is exchanged for an access token and a refresh token', async () => {
		const { status, body } = await requestPublicToken(codeGrant(await newCode(sandbox)));
		const token = expect.stringMatching(/^\S{20,}$/) as string;
		const others = { expires_in: 3600, token_type: 'Bearer', scope: 'basic' };
		expect([status, body]).toEqual([200, { access_token: token, refresh_token: token, ...others }]);
		expect(await getProfileStatus(sandbox, body.access_token)).toBe(200);
		expect(await getProfileStatus(sandbox, body.refresh_token)).toBe(401);
	});

	test('that was asked for with PKCE needs the verifier (RFC 7636, section 4.6)', async () => {
		const verifier = 'v'.repeat(43);
		const code_challenge = createHash('sha256').update(verifier).digest('base64url');
		const url = authorizeUrl(sandbox, { code_challenge, code_challenge_method: 'S256' });
		const exchange = async (others: object) =>
			await requestPublicToken({ ...codeGrant(await newCode(sandbox, url)), ...others });
		expect(await exchange({ code_verifier: verifier })).toMatchObject({ status: 200 });
		for (const others of [{}, { code_verifier: 'w'.repeat(43) }]) {
			expect(await exchange(others)).toMatchObject(rejection('invalid_grant'));
		}
	});

	test('works once, and its tokens are revoked when it is used again', async () => {
		const code = await newCode(sandbox);
		const first = await requestPublicToken(codeGrant(code));
		const refreshed = await requestPublicToken(refreshGrant(first.body.refresh_token));
		const others = await connect();
		const second = [codeGrant(code), refreshGrant(refreshed.body.refresh_token)];
		for (const form of second) expect(await requestPublicToken(form)).toMatchObject(rejection('invalid_grant'));
		for (const { body } of [first, refreshed]) expect(await getProfileStatus(sandbox, body.access_token)).toBe(401);
		expect(await getProfileStatus(sandbox, others.access_token)).toBe(200);
	});

	test('is rejected with another redirect_uri, and after a minute', async () => {
		const code = await newCode(sandbox);
		const other = codeGrant(await newCode(sandbox), `${REDIRECT_URI}?`);
		expect(await requestPublicToken(other)).toMatchObject(rejection('invalid_grant'));
		advanceDate(61_000);
		expect(await requestPublicToken(codeGrant(code))).toMatchObject(rejection('invalid_grant'));
	});
});

describe('A refresh token (RFC 6749, section 6)', () => {
	test('is exchanged for new tokens and works once', async () => {
		const before = await connect();
		const { status, body } = await requestPublicToken(refreshGrant(before.refresh_token));
		expect(status).toBe(200);
		expect(body).toMatchObject({ expires_in: 3600, token_type: 'Bearer', scope: 'basic' });
		expect(new Set([...Object.values(before), ...Object.values(body)]).size).toBe(4 + 3);
		expect(await getProfileStatus(sandbox, body.access_token)).toBe(200);
		expect(await requestPublicToken(refreshGrant(before.refresh_token))).toMatchObject(rejection('invalid_grant'));
		expect((await requestPublicToken(refreshGrant(body.refresh_token))).status).toBe(200);
	});

	test('stays valid when access tokens expire or are revoked, but not when the consent is', async () => {
		const unused = await newCode(sandbox);
		const first = await connect();
		sandbox.oauth.revokeAccessTokens();
		expect(await getProfileStatus(sandbox, first.access_token)).toBe(401);
		const second = (await requestPublicToken(refreshGrant(first.refresh_token))).body;
		expect(await getProfileStatus(sandbox, second.access_token)).toBe(200);
		advanceDate(3_601_000);
		expect(await getProfileStatus(sandbox, second.access_token)).toBe(401);
		const { body } = await requestPublicToken(refreshGrant(second.refresh_token));
		expect(await getProfileStatus(sandbox, body.access_token)).toBe(200);

		sandbox.oauth.revokeConsents();
		expect(await getProfileStatus(sandbox, body.access_token)).toBe(401);
		for (const form of [refreshGrant(body.refresh_token), codeGrant(unused)]) {
			expect(await requestPublicToken(form)).toMatchObject(rejection('invalid_grant'));
		}
	});
});

describe('The token endpoint', () => {
	test.each<[string, Parameters, string]>([
		['client_credentials', {}, 'public'],
		['authorization_code', { code: 'c', redirect_uri: REDIRECT_URI }, 'private'],
		['refresh_token', { refresh_token: 'r' }, 'private'],
	])('rejects the grant %s with %p for a %s app', async (grant, fields, kind) => {
		const app = kind === 'private' ? sandbox : sandbox.publicApp;
		const response = await requestPublicToken({ grant_type: grant, ...fields }, app);
		expect(response).toMatchObject(rejection('unauthorized_client'));
	});
});
