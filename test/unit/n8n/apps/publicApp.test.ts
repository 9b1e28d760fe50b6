import fc from 'fast-check';
import type { ICredentialDataDecryptedObject, IDataObject, IHttpRequestHelper } from 'n8n-workflow';

import { ProfilePageOAuth2Api } from '../../../../credentials/ProfilePageOAuth2Api.credentials';
import { type Credential, isDue } from '../../../../nodes/ProfilePage/n8n/apps/app';
import { bindTokens } from '../../../../nodes/ProfilePage/n8n/apps/binding';
import { publicApp } from '../../../../nodes/ProfilePage/n8n/apps/publicApp';
import { type Ended, Failed } from '../../../../nodes/ProfilePage/service/failure';
import { inOneText, inWords } from '../../../../nodes/ProfilePage/service/words';
import { useFakeClock } from '../../../support/fakeClock';
import { type NodeContext } from '../../../../nodes/ProfilePage/n8n/context';

const NOW = Date.UTC(2030, 0, 1);

useFakeClock(NOW);

type Fields = ICredentialDataDecryptedObject;

const app = { baseUrl: 'https://example.com', clientId: 'id', clientSecret: 'secret' };

const connected: Fields = {
	...app,
	oauthTokenData: { access_token: 'first', refresh_token: 'r' },
};

/** The credential as n8n stores it after its tokens are bound. */
const bound: Fields = { ...app, oauthTokenData: bindTokens(connected) };

/** Whether n8n would evaluate nothing in a value. */
function isPlain(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return typeof value !== 'string' || !value.startsWith('=');
	return Object.entries(value).every((entry) => entry.every(isPlain));
}

describe('The tokens of a public app', () => {
	test('that have no binding are bound to the current Base URL and Client ID', () => {
		expect(bindTokens(connected)).toMatchObject(connected.oauthTokenData as object);
		expect(bindTokens(bound)).toEqual(bound.oauthTokenData);
		expect(bindTokens(connected).profile_page_binding).toMatch(/^[0-9a-f]{64} [0-9a-f]{64}$/);
	});

	test('are bound by the credential before n8n signs a request', async () => {
		const credentialType = new ProfilePageOAuth2Api();
		const preAuthenticate = async (data: Fields) =>
			await credentialType.preAuthentication.call({} as IHttpRequestHelper, data);
		expect(await preAuthenticate(connected)).toEqual({
			oauthTokenData: bound.oauthTokenData,
		});
		await expect(preAuthenticate({ ...bound, clientId: 'other' })).rejects.toThrow(
			'Credential: its Base URL or Client ID was changed after the account was connected. Open it and connect the account again',
		);
	});

	test.each([
		['Base URL', { baseUrl: 'https://example.org' }],
		['Client ID', { clientId: 'other' }],
	])('are rejected after the %s changes', (_field, change) => {
		const explanation = expect.objectContaining({
			failure: expect.objectContaining({
				problem: 'Credential: its Base URL or Client ID was changed after the account was connected',
				advice: 'Open it and connect the account again (Switch account, or Connect).',
			}) as unknown,
		}) as unknown as Error;
		expect(() => bindTokens({ ...bound, ...change })).toThrow(explanation);
		expect(() => publicApp.readToken({ ...bound, ...change })).toThrow(explanation);
	});

	test('are bound again after the app is connected with another Base URL', () => {
		// n8n merges the new tokens into the old ones, and so keeps the old binding.
		const old = bound.oauthTokenData as IDataObject;
		const reconnected: Fields = {
			...app,
			baseUrl: 'https://example.org',
			oauthTokenData: { ...old, access_token: 'second' },
		};
		const rebound: Fields = { ...reconnected, oauthTokenData: bindTokens(reconnected) };
		expect(bindTokens(rebound)).toEqual(rebound.oauthTokenData);
		expect(() => bindTokens({ ...rebound, baseUrl: app.baseUrl })).toThrow(Failed);
	});

	test('are bound and not lost for any previous binding', () => {
		fc.assert(
			fc.property(fc.anything().filter(isPlain), (profile_page_binding) => {
				const tokens = { access_token: 'first', profile_page_binding } as IDataObject;
				const data: Fields = { ...app, oauthTokenData: tokens };
				expect(bindTokens(data)).toMatchObject({ access_token: 'first' });
			}),
		);
	});

	test('are rejected if n8n would evaluate one of their values', () => {
		fc.assert(
			fc.property(fc.constantFrom('access_token', 'refresh_token', 'scope'), fc.string(), (name, text) => {
				const expression = `=${text}`;
				const values = [expression, [expression], { a: [{ b: expression }] }, { [expression]: 1 }];
				for (const value of values) {
					const oauthTokenData = { access_token: 'first', [name]: value };
					expect(() => bindTokens({ ...app, oauthTokenData })).toThrow('the response contains an n8n expression');
				}
			}),
		);
	});

	test('are rejected if they are nested too deeply to look for expressions', () => {
		const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as IDataObject;
		expect(() => bindTokens({ ...app, oauthTokenData: { access_token: 'first', deep } })).toThrow(Failed);
	});

	test('are stored with the fields of RFC 6749 alone, each a text or number of its kind', () => {
		const oauthTokenData = {
			access_token: 'first',
			token_type: ' bearer ',
			expires_in: '3600',
			n8n_expires_at: 1_900_000_000_000,
			refresh_token: 'r',
			scope: 'basic',
			// n8n's OAuth client prefers these.
			...{ accessToken: 'other', refreshToken: 'other', tokenType: 'mac', resource: 'https://b.example' },
			id_token: 'x',
		} as IDataObject;
		const kept = bindTokens({ ...app, oauthTokenData });
		expect(kept).toEqual({
			access_token: 'first',
			token_type: 'Bearer',
			expires_in: '3600',
			n8n_expires_at: 1_900_000_000_000,
			refresh_token: 'r',
			scope: 'basic',
			profile_page_binding: expect.any(String) as string,
		});
	});

	test.each<[string, unknown]>([
		['access_token', 5],
		['access_token', 'a b'],
		['access_token', 't'.repeat(16_001)],
		['refresh_token', ['r']],
		['refresh_token', null],
		['refresh_token', 'r\n'],
		['refresh_token', 'r'.repeat(16_001)],
		['scope', { basic: true }],
		['expires_in', 'soon'],
		['expires_in', -1],
		['n8n_expires_at', '1e30'],
	])('are stored without their %s if it is %j', (name, value) => {
		const oauthTokenData = { access_token: 'first', [name]: value } as IDataObject;
		expect(bindTokens({ ...app, oauthTokenData })[name]).toBeUndefined();
	});

	test.each(['mac', 'DPoP', 5, ['Bearer']])('are rejected with the type %j', (token_type) => {
		const oauthTokenData = { access_token: 'first', token_type } as IDataObject;
		const problem = 'the service sent a token of a type other than Bearer';
		expect(() => publicApp.readToken({ ...app, oauthTokenData })).toThrow(problem);
	});

	test('are bound to a digest without the Client Secret', () => {
		const binding = publicApp.bindingOf(app);
		expect(publicApp.bindingOf({ ...app, clientSecret: 'other' })).toBe(binding);
		expect(publicApp.bindingOf({ ...app, clientId: 'other' })).not.toBe(binding);
		expect(publicApp.bindingOf({ ...app, baseUrl: 'https://b.example' })).not.toBe(binding);
	});

	test.each([
		['are renewed 30 s before they expire', { expires_in: 3600, n8n_expires_at: NOW + 30_000 }, true],
		['are not renewed earlier', { expires_in: 3600, n8n_expires_at: NOW + 30_001 }, false],
		['are renewed if their numbers are texts', { expires_in: '60', n8n_expires_at: String(NOW) }, true],
		['are not renewed without an expiry time', { expires_in: 60 }, false],
		['are not renewed without a lifetime', { n8n_expires_at: NOW - 1 }, false],
	])('%s', (_what, tokens, isRenewed) => {
		const oauthTokenData = { access_token: 'first', ...tokens };
		expect(isDue(publicApp.readToken({ ...app, oauthTokenData })!)).toBe(isRenewed);
	});
});

describe('The credential of a public app', () => {
	test('contains the access token of the connected account', () => {
		expect(publicApp.readToken(connected)).toMatchObject({ value: 'first', renewAt: Infinity });
	});

	test.each([undefined, 'text', null, [], {}, { access_token: 5 }, { access_token: '' }])(
		'without an access token in %j is rejected as not connected',
		(oauthTokenData) => {
			const data = { ...app, oauthTokenData } as Fields;
			expect(() => publicApp.readToken(data)).toThrow('Credential: no account is connected');
		},
	);
});

type Refresh = (this: NodeContext, type: string) => Promise<unknown>;

/** Refreshes the tokens with a mock of n8n's helper; returns the credential as n8n then stores it. */
async function renew(
	refreshOAuth2Token: Refresh,
	rejected?: string,
	getCredentials = async () => await Promise.resolve(stored),
): Promise<Ended<Fields>> {
	const context = { helpers: { refreshOAuth2Token }, getCredentials } as unknown as NodeContext;
	const credential = { app: publicApp, data: connected, itemIndex: 0, secrets: ['s3cret'] } as unknown as Credential;
	return await publicApp.renew(context, credential, rejected);
}

/** The credential that n8n stores. */
let stored: Fields;
beforeEach(() => (stored = connected));

/** Returns the failure for what n8n's helper throws, and its words. */
async function explain(failure: Error) {
	const renewing = renew(async () => await Promise.reject(failure));
	// For the reads after "invalid_grant".
	await jest.advanceTimersByTimeAsync(2500);
	const ended = await renewing;
	if (ended.outcome === 'done') throw new Error('The tokens were renewed');
	return { ...ended, ...inWords(ended), text: inOneText(ended) };
}

const CONNECT_AGAIN = 'Open the credential and connect the account again (Switch account, or Connect).';
const ENDED = 'No access token: access to the account was revoked or has ended';
const NOT_RENEWED = 'No access token: the service did not renew access to the account';
const NO_JSON =
	/^No access token: the service responded with (a web page instead of data|something other than a JSON object)\. Check the Base URL in the credential\.$/;

/** The errors that n8n's OAuth2 client throws, as in n8n-core 1.122 to 2.41. */
const thrown = {
	/** An error of axios, for HTTP statuses of at least 500. */
	axios: (status: number, headers: Record<string, string> = {}, data: unknown = '') =>
		Object.assign(new Error(`Request failed with status code ${status}`), {
			code: 'ERR_BAD_RESPONSE',
			response: { status, headers, data },
		}),
	/** The client's ResponseError. */
	response: (status: number, body: unknown, message = `HTTP status ${status}`) =>
		Object.assign(new Error(message), { status, body, code: 'ESTATUS' }),
	/** The client's AuthError, which has no status. */
	rejection: (body: unknown) => Object.assign(new Error('x'), { body, code: 'EAUTH' }),
};

describe('A failed refresh with an HTTP status', () => {
	test.each([
		[503, thrown.axios(503), 'the service failed (503)', 'soon'],
		[429, thrown.response(429, 'Slow down'), 'the service is rate-limiting requests (429)', 'soon'],
		[307, thrown.response(307, ''), 'the service responded with a redirect (307)', undefined],
		[401, thrown.response(401, 'No.'), 'the service rejected the Client ID or the Client Secret (401)', undefined],
		[400, thrown.response(400, 'No.'), 'the service did not renew access to the account (400)', undefined],
	])('is explained by its status, HTTP %d', async (status, error, problem, passes) => {
		const failure = await explain(error);
		expect(failure).toMatchObject({ status, kind: 'token', outcome: 'not applied', problem });
		expect(failure.passes).toBe(passes);
	});

	test('is retried after the time in Retry-After', async () => {
		const { retryAfter } = await explain(thrown.axios(503, { 'retry-after': '7' }));
		expect(retryAfter).toBe(7000);
	});

	test.each(['<!DOCTYPE html>', '', '{"status": tr', undefined])(
		'of 200 and no tokens is reported as not JSON: %j',
		async (body) => {
			const error = thrown.response(200, body, 'Unsupported content type: text/html');
			const { text, passes } = await explain(error);
			expect(text).toMatch(NO_JSON);
			expect(passes).toBeUndefined();
		},
	);
});

test('A failed refresh whose response could not be parsed is reported as not JSON', async () => {
	expect((await explain(new SyntaxError('Unexpected token <'))).text).toMatch(NO_JSON);
});

describe('A rejected refresh', () => {
	test('that repeats a secret quotes the code and nothing else', async () => {
		const body = { error: 'invalid_grant', error_description: 's3cret' };
		const { message, description, passes } = await explain(thrown.rejection(body));
		expect(message).toBe(ENDED);
		expect(description).toBe(`${CONNECT_AGAIN} The service said: "invalid_grant".`);
		expect(passes).toBeUndefined();
	});

	test.each([{ error: 'slow_down' }, { error_description: 'slow_down' }, { error: { message: 'slow_down' } }])(
		'with another code, such as that of a rate limit, is transient: %j',
		async (body) => {
			const { message, description, passes } = await explain(thrown.rejection(body));
			expect(message).toBe(NOT_RENEWED);
			expect(description).toBe(
				'Try again later. If that does not help, open the credential and connect the account again. The service said: "slow_down".',
			);
			expect(passes).toBe('soon');
		},
	);

	test('that n8n 2.40 replaces by an error of its own is one with invalid_grant', async () => {
		const replaced = Object.assign(new Error('The credential "Sandbox" needs to be reconnected.'), {
			failure: { cause: 'credential-invalid' },
		});
		expect(await explain(replaced)).toMatchObject({ message: ENDED, code: 'invalid_grant', advice: CONNECT_AGAIN });
	});
});

test('A failed refresh without a response is explained by its code', async () => {
	expect(await explain(Object.assign(new Error('x'), { code: 'ECONNRESET' }))).toMatchObject({
		message: 'No access token: the service closed the connection before its response was complete',
		passes: 'soon',
		outcome: 'not applied',
	});
});

test.each([undefined, null, 'text', {}, new Error('x')])(
	'A failed refresh that throws %p is explained without it',
	async (error) => {
		expect((await explain(error as Error)).text).toBe(
			'No access token: the service could not be reached. Check the Base URL and the network of your n8n.',
		);
	},
);

test('A refresh that takes more than a minute fails, so that another execution can try', async () => {
	const settled = jest.fn();
	const refreshing = renew(async () => await new Promise(() => undefined)).finally(settled);
	await jest.advanceTimersByTimeAsync(59_999);
	expect(settled).not.toHaveBeenCalled();
	await jest.advanceTimersByTimeAsync(1);
	const problem = 'the service did not respond to the token request in time';
	expect(await refreshing).toMatchObject({ kind: 'token', problem, passes: 'soon', outcome: 'not applied' });
});

test.each([
	['five times within two seconds if the refresh token was rejected', 'invalid_grant', 5],
	['once if the app was rejected', 'invalid_client', 1],
])('A rejected refresh reads the credential again %s', async (_what, error, reads) => {
	const getCredentials = jest.fn(async () => await Promise.resolve(stored));
	const helper = async () => await Promise.reject(thrown.rejection({ error }));
	const renewing = renew(helper, undefined, getCredentials);
	await jest.advanceTimersByTimeAsync(2000);
	expect(await renewing).toMatchObject({ kind: 'token', code: error });
	expect(getCredentials).toHaveBeenCalledTimes(reads);
});

test('n8n stores refreshed tokens bound to the app that they belong to', async () => {
	const ended = await renew(async function (type) {
		const data = await this.getCredentials(type);
		expect(data.oauthTokenData).toEqual(bound.oauthTokenData);
		data.oauthTokenData = { access_token: 'new', refresh_token: 'next' };
		// n8n reads the tokens in this way to store them.
		stored = { ...data };
	}, 'first');
	const renewed = ended.outcome === 'done' ? ended.result : {};
	expect(renewed.oauthTokenData).toMatchObject({ access_token: 'new', refresh_token: 'next' });
	expect(bindTokens(renewed)).toEqual(renewed.oauthTokenData);
	expect(() => bindTokens({ ...renewed, clientId: 'other' })).toThrow(
		'Credential: its Base URL or Client ID was changed after the account was connected',
	);
});

test('A refresh that keeps a token which was not rejected succeeds', async () => {
	expect(await renew(async () => await Promise.resolve())).toMatchObject({ result: connected });
});
