import fc from 'fast-check';
import type {
	IAuthenticate,
	IAuthenticateGeneric,
	ICredentialDataDecryptedObject,
	IHttpRequestHelper,
} from 'n8n-workflow';

import { ProfilePageApi } from '../../../credentials/ProfilePageApi.credentials';
import { privateApp, type StoredToken } from '../../../nodes/ProfilePage/auth/privateApp';
import { ValidationError } from '../../../nodes/ProfilePage/shared/errors';
import { useFakeClock } from '../../support/fakeClock';

const NOW = Date.UTC(2030, 0, 1);

useFakeClock(NOW);

type Fields = ICredentialDataDecryptedObject;

const app = { baseUrl: 'https://example.com', clientId: 'id', clientSecret: 'secret' };

const credentialType = new ProfilePageApi();
const authenticate = credentialType.authenticate as Exclude<IAuthenticate, IAuthenticateGeneric>;

/** Requests a token as n8n does, with this function in place of its request helper. */
async function requestToken(httpRequest: () => Promise<unknown>): Promise<StoredToken> {
	const n8n = { helpers: { httpRequest } } as unknown as IHttpRequestHelper;
	return (await credentialType.preAuthentication.call(n8n, app)) as unknown as StoredToken;
}

/** Requests a token from a service that gives this response. */
async function grant(body: object, statusCode = 200): Promise<StoredToken> {
	return await requestToken(async () => await Promise.resolve({ statusCode, headers: {}, body }));
}

/** Returns the time at which a token with this lifetime is renewed, as the credential stores it. */
async function renewalTime(expiresIn: unknown): Promise<string> {
	const body = { access_token: 'token', expires_in: expiresIn };
	return (await grant(body)).accessTokenRenewAt;
}

/** Returns a credential in which n8n has stored a token of this app. */
async function storeToken(expiresIn: unknown): Promise<Fields> {
	return { ...app, ...(await grant({ access_token: 'token', expires_in: expiresIn })) };
}

describe('The token of a private app', () => {
	test('is usable for the app that it was granted to', async () => {
		const data = await storeToken(3600);
		expect(privateApp.readToken(data)).toBe('token');
		expect(privateApp.isExpired(data)).toBe(false);
	});

	test.each([
		['Base URL', { baseUrl: 'https://example.org' }],
		['port', { baseUrl: 'https://example.com:8443' }],
		['path of the Base URL', { baseUrl: 'https://example.com/prefix' }],
		['Client ID', { clientId: 'other' }],
		['Client Secret', { clientSecret: 'other' }],
	])('is ignored after the %s changes', async (_field, change) => {
		expect(privateApp.readToken({ ...(await storeToken(3600)), ...change })).toBe('');
	});

	test.each(['https://example.com/', ' https://example.com ', 'HTTPS://EXAMPLE.com:443'])(
		'is usable if the same Base URL is written as %p',
		async (baseUrl) => {
			expect(privateApp.readToken({ ...(await storeToken(3600)), baseUrl })).toBe('token');
		},
	);

	test.each([
		['without a digest, as stored by earlier versions,', { accessTokenApp: undefined }],
		['with an empty digest', { accessTokenApp: '' }],
		['that is not a text', { accessToken: { token: 1 } }],
	])('%s is ignored', async (_what, change) => {
		expect(privateApp.readToken({ ...(await storeToken(3600)), ...change } as Fields)).toBe('');
	});

	test('is not read with an invalid Base URL', async () => {
		const data = { ...(await storeToken(3600)), baseUrl: 'http://example.com' };
		expect(() => privateApp.readToken(data)).toThrow(ValidationError);
	});

	test('is granted to a digest that is the same for two apps only if all their fields are the same', () => {
		const text = fc.oneof(fc.string(), fc.constantFrom('a', '","', 'a","b', '\\', ''));
		const apps = fc.record({
			baseUrl: fc.constantFrom('https://example.com', 'https://example.com/a', 'https://b.example'),
			clientId: text,
			clientSecret: text,
		});
		fc.assert(
			fc.property(apps, apps, (one, other) => {
				const isSame = JSON.stringify(one) === JSON.stringify(other);
				expect(privateApp.digest(one) === privateApp.digest(other)).toBe(isSame);
				expect(privateApp.digest(one)).toMatch(/^[0-9a-f]{64}$/);
			}),
		);
	});
});

describe('The lifetime of a private app’s token', () => {
	async function isExpiredAfter(expiresIn: unknown, milliseconds: number): Promise<boolean> {
		jest.setSystemTime(NOW);
		const data = await storeToken(expiresIn);
		jest.setSystemTime(NOW + milliseconds);
		return privateApp.isExpired(data);
	}

	test.each([
		['30 s before a token of an hour expires', 3600, 3_570_000],
		['30 s before a token of 5 minutes expires', 300, 270_000],
		['when a tenth of a token of a minute is left', 60, 54_000],
		['when a tenth of a token of 2 s is left', 2, 1800],
		['when a tenth of a lifetime given as a text is left', '60', 54_000],
		['when a tenth of a lifetime with a fraction is left', 0.5, 450],
	])('ends %s', async (_what, expiresIn, milliseconds) => {
		expect(await isExpiredAfter(expiresIn, milliseconds - 1)).toBe(false);
		expect(await isExpiredAfter(expiresIn, milliseconds)).toBe(true);
	});

	test.each([
		undefined,
		null,
		'',
		'soon',
		0,
		-1,
		'-60',
		Number.NaN,
		Infinity,
		'Infinity',
		1e300,
		true,
		[60],
		{ seconds: 60 },
	])(
		'is unknown if expires_in is %p, so that the token is used until it is rejected',
		async (expiresIn) => {
			expect(await renewalTime(expiresIn)).toBe('');
			expect(await isExpiredAfter(expiresIn, 1e12)).toBe(false);
		},
	);

	test('is unknown for a credential that stores none', () => {
		expect(privateApp.isExpired({})).toBe(false);
		expect(privateApp.isExpired({ accessTokenRenewAt: '' })).toBe(false);
	});

	test('always ends after the token request and before the token expires', async () => {
		await fc.assert(
			fc.asyncProperty(fc.integer({ min: 1, max: 1e9 }), async (seconds) => {
				const renewAt = Number(await renewalTime(seconds));
				expect(renewAt).toBeGreaterThan(NOW);
				expect(renewAt).toBeLessThan(NOW + seconds * 1000);
			}),
		);
	});

	test('never ends at once and never throws for any expires_in', async () => {
		await fc.assert(
			fc.asyncProperty(fc.anything(), async (expiresIn) => {
				const renewAt = await renewalTime(expiresIn);
				expect(renewAt).toMatch(/^\d*$/);
				expect(renewAt === '' || Number(renewAt) >= NOW).toBe(true);
			}),
		);
	});

	test('starts when the token is requested', async () => {
		const httpRequest = async () => {
			await jest.advanceTimersByTimeAsync(5000);
			return { statusCode: 200, headers: {}, body: { access_token: 'token', expires_in: 60 } };
		};
		const { accessTokenRenewAt } = await requestToken(httpRequest);
		expect(accessTokenRenewAt).toBe(String(NOW + 54_000));
	});
});

const REJECTED =
	'No access token: the service rejected the Client ID or the Client Secret (401). Check both, and the Base URL, in the credential.';

describe('The error of a credential', () => {
	test('contains the advice in its message, since n8n shows nothing else', async () => {
		await expect(grant({}, 401)).rejects.toMatchObject({ message: REJECTED });
	});

	test('contains the advice once if several requests wait for the same token', async () => {
		const outcomes = await Promise.allSettled([grant({}, 401), grant({}, 401), grant({}, 401)]);
		const rejected = { status: 'rejected', reason: { message: REJECTED } };
		expect(outcomes).toMatchObject([rejected, rejected, rejected]);
	});

	test.each([
		[
			'an empty Base URL',
			{ baseUrl: '' },
			'Base URL: the value is empty. Enter the address of the service in the credential.',
		],
		[
			'another host',
			{ baseUrl: 'https://example.org' },
			'URL: the request goes to a different host than the Base URL of the credential. The access token is for that service only.',
		],
	])('contains the advice for a request with %s', async (_what, change, message) => {
		const data = { ...(await storeToken(3600)), ...change };
		const request = { url: 'https://example.com/oauth/v1/me' };
		await expect(authenticate(data, request)).rejects.toMatchObject({ message });
	});
});
