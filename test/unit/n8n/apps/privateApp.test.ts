import fc from 'fast-check';
import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestHelper,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { ProfilePageApi } from '../../../../credentials/ProfilePageApi.credentials';
import { type Credential, isDue } from '../../../../nodes/ProfilePage/n8n/apps/app';
import { privateApp, type TokenFields } from '../../../../nodes/ProfilePage/n8n/apps/privateApp';
import { signRequest } from '../../../../nodes/ProfilePage/n8n/apps/signing';
import { done, Failed } from '../../../../nodes/ProfilePage/service/failure';
import { useFakeClock } from '../../../support/fakeClock';
import { type NodeContext } from '../../../../nodes/ProfilePage/n8n/context';

const NOW = Date.UTC(2030, 0, 1);

useFakeClock(NOW);

type Fields = ICredentialDataDecryptedObject;

const app = { baseUrl: 'https://example.com', clientId: 'id', clientSecret: 'secret' };

const credentialType = new ProfilePageApi();

/** Requests a token as n8n does, with this function in place of its request helper. */
async function requestToken(httpRequest: () => Promise<unknown>): Promise<TokenFields> {
	const n8n = { helpers: { httpRequest } } as unknown as IHttpRequestHelper;
	return await credentialType.preAuthentication.call(n8n, app);
}

/** Requests a token from a service that gives this response. */
async function grant(body: object, statusCode = 200): Promise<TokenFields> {
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
		const token = privateApp.readToken(data)!;
		expect(token).toMatchObject({ value: 'token', renewAt: NOW + 3_570_000 });
		expect(isDue(token)).toBe(false);
	});

	test.each([
		['Base URL', { baseUrl: 'https://example.org' }],
		['port', { baseUrl: 'https://example.com:8443' }],
		['path of the Base URL', { baseUrl: 'https://example.com/prefix' }],
		['Client ID', { clientId: 'other' }],
		['Client Secret', { clientSecret: 'other' }],
	])('is ignored after the %s changes', async (_field, change) => {
		const data = { ...(await storeToken(3600)), ...change };
		expect(privateApp.readToken(data)).toBeUndefined();
	});

	test.each(['https://example.com/', ' https://example.com ', 'HTTPS://EXAMPLE.com:443'])(
		'is usable if the same Base URL is written as %p',
		async (baseUrl) => {
			const data = { ...(await storeToken(3600)), baseUrl };
			expect(privateApp.readToken(data)?.value).toBe('token');
		},
	);

	test.each([
		['without a digest, as stored by earlier versions,', { accessTokenBinding: undefined }],
		['with an empty digest', { accessTokenBinding: '' }],
		['that is not a text', { accessToken: { token: 1 } }],
	])('%s is ignored', async (_what, change) => {
		const data = { ...(await storeToken(3600)), ...change } as Fields;
		expect(privateApp.readToken(data)).toBeUndefined();
	});
});

describe('The lifetime of a private app’s token', () => {
	async function isExpiredAfter(expiresIn: unknown, milliseconds: number): Promise<boolean> {
		jest.setSystemTime(NOW);
		const data = await storeToken(expiresIn);
		jest.setSystemTime(NOW + milliseconds);
		return isDue(privateApp.readToken(data)!);
	}

	test.each([
		['30 s before a token of an hour expires', 3600, 3_570_000],
		['when a tenth of a lifetime given as a text is left', '60', 54_000],
		['when a tenth of a lifetime with a fraction is left', 0.5, 450],
	])('ends %s', async (_what, expiresIn, milliseconds) => {
		expect(await isExpiredAfter(expiresIn, milliseconds - 1)).toBe(false);
		expect(await isExpiredAfter(expiresIn, milliseconds)).toBe(true);
	});

	test.each([undefined, null, '', 'soon', 0, -1, '-60', Number.NaN, Infinity, 1e300, true, [60], { seconds: 60 }])(
		'is unknown if expires_in is %p, so that the token is used until it is rejected',
		async (expiresIn) => {
			expect(await renewalTime(expiresIn)).toBe('');
			expect(await isExpiredAfter(expiresIn, 1e12)).toBe(false);
		},
	);

	test('is unknown for a credential that stores none', async () => {
		const stored = await storeToken(3600);
		for (const accessTokenRenewAt of ['', undefined]) {
			const data = { ...stored, accessTokenRenewAt } as Fields;
			expect(privateApp.readToken(data)?.renewAt).toBe(Infinity);
		}
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

/** Whether a token response with this token grants it. */
const isGranted = async (token: unknown) =>
	await grant({ access_token: token }).then(
		() => true,
		() => false,
	);

describe('An access token', () => {
	test('is accepted if it consists of visible ASCII characters and n8n does not evaluate it', async () => {
		const tokens = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }));
		await fc.assert(
			fc.asyncProperty(tokens, async (accessToken) => {
				const isVisibleAscii = Array.from(accessToken).every((character) => character > ' ' && character <= '~');
				const isSendable = accessToken !== '' && isVisibleAscii && !accessToken.startsWith('=');
				expect(await isGranted(accessToken)).toBe(isSendable);
				const data = { ...(await storeToken(3600)), accessToken };
				expect(privateApp.readToken(data) !== undefined).toBe(isSendable);
			}),
		);
	});

	test('is accepted if it fits into a header', async () => {
		expect(await isGranted('t'.repeat(16_000))).toBe(true);
		expect(await isGranted('t'.repeat(16_001))).toBe(false);
	});
});

test('A token response without a token, but with an error code, is quoted whatever its status', async () => {
	await expect(grant({ error: 'invalid_client' })).rejects.toMatchObject({
		message: expect.stringMatching(/: the response contains none\. .* The service said: "invalid_client"\.$/) as string,
	});
});

test('A token request ends after 15 s', async () => {
	const failing = requestToken(async () => await new Promise(() => undefined));
	const outcome = expect(failing).rejects.toMatchObject({
		message: expect.stringContaining('did not respond to the token request in time') as string,
		context: { failure: { passes: 'soon' } },
	});
	await jest.advanceTimersByTimeAsync(15_000);
	await outcome;
});

describe('A signed request', () => {
	const url = 'https://example.com/oauth/v1/me';

	test('contains the token, and follows no redirect', async () => {
		const request = { url, headers: { Accept: 'text/plain' } };
		expect(signRequest(await storeToken(3600), request)).toEqual({
			url,
			headers: { Accept: 'text/plain', Authorization: 'Bearer token' },
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
		});
	});

	test.each([
		['a URL', { url }],
		['a URI, as of n8n’s older helper', { url: '', uri: url }],
		['a path and a base', { url: '/me', baseURL: 'https://example.com/api' }],
	])('may have %s', async (_what, request) => {
		const { headers } = signRequest(await storeToken(3600), request);
		expect(headers).toEqual({ Authorization: 'Bearer token' });
	});

	test.each([
		['another host', 'https://example.org/oauth/v1/me'],
		['another scheme', 'http://example.com/oauth/v1/me'],
		['another port', 'https://example.com:8443/'],
		['no address', '/oauth/v1/me'],
		['nothing', ''],
	])('to %s is rejected', async (_what, target) => {
		const data = await storeToken(3600);
		expect(() => signRequest(data, { url: target })).toThrow(Failed);
	});

	test.each([
		['another host of a base', { url: '/me', baseURL: 'https://example.org' }],
		['an address that only a link reads as absolute', { url: 'https:example.com/me', baseURL: 'http://example.org' }],
		['such an address with a backslash', { url: '/\\example.com/me', baseURL: 'https://example.org' }],
		['such an address after a space', { url: ' https://example.com/me', baseURL: 'https://example.org' }],
		['a host that is part of the path', { url: '.example.org/me', baseURL: 'https://example.com.' }],
	])('to %s is rejected', async (_what, target) => {
		const data = await storeToken(3600);
		expect(() => signRequest(data, target)).toThrow('the request goes to a different host');
	});

	describe('with a Base URL that has a path', () => {
		const prefixed = { ...app, baseUrl: 'https://example.com/tenant-a/' };

		test.each([
			'https://example.com/tenant-a',
			'https://example.com/tenant-a?b=c#d',
			'HTTPS://EXAMPLE.COM:443/tenant-a/oauth/v1/me',
			'https://example.com/x/../tenant-a/me',
		])('may go to %s', (target) => {
			expect(() => signRequest(prefixed, { url: target })).toThrow('There is no access token for this app');
		});

		test.each([
			'https://example.com',
			'https://example.com/tenant-b/me',
			'https://example.com/tenant-ab',
			'https://example.com/tenant-a/../tenant-b',
			'https://example.com/tenant-a/%2e%2E/tenant-b',
			'https://example.com/tenant-a/%252e%252e/tenant-b',
			'https://example.com/tenant-a/..%2ftenant-b',
			'https://example.com/tenant-a/..%5Ctenant-b',
			'https://example.com/tenant-a/%c0%ae%c0%ae/tenant-b',
			'https://example.com/tenant-a/..;/tenant-b',
			'https://example.com//tenant-a',
			'https://example.com/%74enant-a',
		])('is rejected to %s', (target) => {
			const problem = 'the request goes to a path outside of the Base URL';
			expect(() => signRequest(prefixed, { url: target })).toThrow(problem);
			const [, path = ''] = /^https:..example.com(.*)/.exec(target) ?? [];
			expect(() => signRequest(prefixed, { url: path, baseURL: 'https://example.com' })).toThrow(Failed);
		});
	});

	test.each([
		['a proxy', { proxy: 'http://proxy.example:3128' }, 'Proxy: '],
		['a proxy of n8n’s newer helper', { proxy: { host: 'proxy.example', port: 3128 } }, 'Proxy: '],
		['no check of certificates', { skipSslCertificateValidation: true }, 'Ignore SSL Issues: '],
		['no check of certificates by n8n’s older helper', { rejectUnauthorized: false }, 'Ignore SSL Issues: '],
		['certificates of its own', { agentOptions: { ca: 'PEM' } }, 'SSL Certificates: '],
		['no check in the options of its agent', { agentOptions: { rejectUnauthorized: false } }, 'SSL Certificates: '],
		['the method TRACE, which returns it', { method: 'TRACE' }, 'Method: '],
		['an unknown method', { method: 'track' }, 'Method: '],
		['another Host', { headers: { Host: 'example.org' } }, 'Headers: '],
		['another Host in lower case', { headers: { 'host ': 'example.org' } }, 'Headers: '],
		['a list of hosts', { headers: { Host: ['example.com'] } }, 'Headers: '],
	])('with %s is rejected', async (_what, options, field) => {
		const data = await storeToken(3600);
		const request = { url, ...options } as unknown as IHttpRequestOptions;
		expect(() => signRequest(data, request)).toThrow(field);
	});

	test('may have the options that n8n’s HTTP Request node sends by default', async () => {
		const data = await storeToken(3600);
		const options = { proxy: undefined, rejectUnauthorized: true, agentOptions: {}, headers: { Host: 'EXAMPLE.com' } };
		expect(signRequest(data, { url, ...options }).headers).toMatchObject({ Authorization: 'Bearer token' });
	});

	test('without a usable token looks to n8n like a response with HTTP 401', async () => {
		const unauthorized = expect.objectContaining({ response: { status: 401 } }) as unknown as Error;
		expect(() => signRequest(app, { url })).toThrow(unauthorized);
		const data = await storeToken(3600);
		jest.setSystemTime(NOW + 3_600_000);
		expect(() => signRequest(data, { url })).toThrow(unauthorized);
	});
});

describe('Renewing the token of a private app', () => {
	/** Renews the token with a mock of n8n's helper, which stores a token in the credential that it reads. */
	async function renew(accessToken: string, failure: unknown = new Error('aborted')) {
		const signals: Array<AbortSignal | undefined> = [];
		const context = {
			helpers: {
				httpRequestWithAuthentication: async function (
					this: IExecuteFunctions,
					type: string,
					request: IHttpRequestOptions,
				) {
					// n8n checks it against Allowed Domains.
					expect(request).toEqual({ url: app.baseUrl });
					const data = await this.getCredentials(type);
					expect(data.accessToken).toBe('');
					signals.push(this.getExecutionCancelSignal());
					data.accessToken = accessToken;
					throw failure as Error;
				},
			},
		} as unknown as NodeContext;
		const stored = { data: { ...app, accessToken: 'old' }, itemIndex: 0 };
		const ended = await privateApp.renew(context, stored as unknown as Credential);
		return { ended, stored, signals };
	}

	test('makes n8n get and store one, by a request that is never sent', async () => {
		const { ended, stored, signals } = await renew('new');
		expect(ended).toEqual(done({ ...app, accessToken: 'new' }));
		expect(stored.data.accessToken).toBe('old');
		expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
	});

	test('fails as the credential says', async () => {
		const error = await grant({}, 401).catch((caught: unknown) => caught);
		const problem = 'the service rejected the Client ID or the Client Secret (401)';
		expect((await renew('', error)).ended).toMatchObject({ kind: 'token', problem });
	});

	test('fails if n8n does not say why there is none', async () => {
		expect((await renew('')).ended).toMatchObject({
			problem: 'n8n could not get or store one',
			advice: 'Try again. If that does not help, check the log of your n8n.',
			outcome: 'not applied',
		});
	});
});

test('The error of a credential contains the advice in its message, which is all that n8n shows, once for requests that wait for the same token', async () => {
	const outcomes = await Promise.allSettled([grant({}, 401), grant({}, 401), grant({}, 401)]);
	const message =
		'No access token: the service rejected the Client ID or the Client Secret (401). Check both, and the Base URL, in the credential.';
	const rejected = { status: 'rejected', reason: { message } };
	expect(outcomes).toMatchObject([rejected, rejected, rejected]);
});
