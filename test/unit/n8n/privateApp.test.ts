import fc from 'fast-check';
import type {
	IAuthenticate,
	IAuthenticateGeneric,
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestHelper,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { ProfilePageApi } from '../../../credentials/ProfilePageApi.credentials';
import { type Credential, isDue } from '../../../nodes/ProfilePage/n8n/app';
import { grantToken } from '../../../nodes/ProfilePage/n8n/grant';
import { privateApp, type TokenFields } from '../../../nodes/ProfilePage/n8n/privateApp';
import { signRequest } from '../../../nodes/ProfilePage/n8n/signing';
import { done, Failed } from '../../../nodes/ProfilePage/service/failure';
import { inWords, type Words } from '../../../nodes/ProfilePage/service/words';
import { useFakeClock } from '../../support/fakeClock';
import { type NodeContext } from '../../../nodes/ProfilePage/n8n/context';

const NOW = Date.UTC(2030, 0, 1);

useFakeClock(NOW);

type Fields = ICredentialDataDecryptedObject;

const app = { baseUrl: 'https://example.com', clientId: 'id', clientSecret: 'secret' };

const credentialType = new ProfilePageApi();
const authenticate = credentialType.authenticate as Exclude<IAuthenticate, IAuthenticateGeneric>;

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
		['without a digest, as stored by earlier versions,', { accessTokenApp: undefined }],
		['with an empty digest', { accessTokenApp: '' }],
		['that is not a text', { accessToken: { token: 1 } }],
	])('%s is ignored', async (_what, change) => {
		const data = { ...(await storeToken(3600)), ...change } as Fields;
		expect(privateApp.readToken(data)).toBeUndefined();
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
				expect(privateApp.bindingOf(one) === privateApp.bindingOf(other)).toBe(isSame);
				expect(privateApp.bindingOf(one)).toMatch(/^[0-9a-f]{64}$/);
			}),
		);
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

	test.each(['={{ 1 }}', 'a\n', 'ü', 5, undefined, ['token']])('is not accepted if it is %j', async (token) => {
		await expect(grant({ access_token: token })).rejects.toMatchObject({
			message: 'No access token: the response contains none. Check the Base URL, and that the app may get tokens.',
		});
	});

	test.each([undefined, null, '', 'Bearer', 'bearer', 'BEARER ', ' Bearer'])(
		'is accepted with the type %j',
		async (type) => {
			const { accessToken } = await grant({ access_token: 'token', token_type: type });
			expect(accessToken).toBe('token');
		},
	);

	test.each(['mac', 'DPoP', 'Bearer token', 'xBearer', 5])('is not accepted with the type %j', async (type) => {
		await expect(grant({ access_token: 'token', token_type: type })).rejects.toMatchObject({
			message: 'No access token: the service sent a token of a type other than Bearer. Check the Base URL.',
		});
	});
});

describe('A failed token request', () => {
	test('quotes only the error code of a response that repeats the secret', async () => {
		const body = { error: 'invalid_client', error_description: `Not ${app.clientSecret}`, message: 'Other' };
		await expect(grant(body, 401)).rejects.toMatchObject({
			message: `${REJECTED} The service said: "invalid_client".`,
		});
	});

	test('whose response is not a JSON object is explained', async () => {
		await expect(grant([])).rejects.toMatchObject({
			message:
				'No access token: the service responded with something other than a JSON object. Check the Base URL in the credential.',
		});
	});

	test('without a response is explained by its code', async () => {
		const failing = requestToken(() => Promise.reject(new Error('x', { cause: { code: 'EPROTO' } })));
		await expect(failing).rejects.toMatchObject({
			message: expect.stringContaining('No access token: the TLS handshake failed') as string,
		});
	});

	test('ends after 15 s', async () => {
		const failing = requestToken(async () => await new Promise(() => undefined));
		const outcome = expect(failing).rejects.toMatchObject({
			message: expect.stringContaining('did not respond to the token request in time') as string,
			context: { failure: { passes: 'soon' } },
		});
		await jest.advanceTimersByTimeAsync(15_000);
		await outcome;
	});
});

describe('The rejection of a private app', () => {
	const CHECK = 'Check both, and the Base URL, in the credential.';

	/** Returns the error of a token request that gets this response. */
	async function reject(statusCode: number, body: object, change: Partial<typeof app> = {}): Promise<Words> {
		const httpRequest = async () => await Promise.resolve({ statusCode, headers: {}, body });
		const n8n = { helpers: { httpRequest } } as unknown as IHttpRequestHelper;
		const error: unknown = await grantToken(n8n, { ...app, ...change }).catch((caught: unknown) => caught);
		expect(error).toBeInstanceOf(Failed);
		return inWords((error as Failed).failure);
	}

	test.each([
		['the Client ID begins with white space', { clientId: ' id' }, /^The Client ID starts or/],
		['the Client Secret ends with it', { clientSecret: 's ' }, /^The Client Secret starts or/],
		['the Client ID contains a colon', { clientId: 'a:b' }, /^The Client ID contains a colon/],
		['the Client ID contains "%"', { clientId: 'a%b' }, /^One of them contains "%" or "\+"/],
		['the Client Secret contains "+"', { clientSecret: 'a+b' }, /^One of them contains "%"/],
	])('is explained with a hint if %s', async (_what, change, hint) => {
		const { message, description } = await reject(401, {}, change);
		expect(message).toBe('No access token: the service rejected the Client ID or the Client Secret (401)');
		expect(description.startsWith(`${CHECK} `)).toBe(true);
		expect(description.slice(CHECK.length + 1)).toMatch(hint);
	});

	test('is explained without a hint if there is no reason for one', async () => {
		const { description } = await reject(400, { error: 'invalid_client' });
		expect(description).toBe(`${CHECK} The service said: "invalid_client".`);
		expect((await reject(503, {}, { clientId: ' id' })).description).toBe('Try again later.');
	});
});

describe('A token request', () => {
	test('contains the Client ID and the Client Secret in UTF-8, and follows no redirect', async () => {
		const response = { statusCode: 200, headers: {}, body: { access_token: 'token' } };
		const httpRequest = jest.fn<Promise<object>, [request: object]>().mockResolvedValue(response);
		const n8n = { helpers: { httpRequest } } as unknown as IHttpRequestHelper;
		await grantToken(n8n, { ...app, clientId: 'ü', clientSecret: 'a b' });
		expect(httpRequest.mock.calls[0]![0]).toMatchObject({
			method: 'POST',
			url: 'https://example.com/oauth/token',
			headers: { Authorization: `Basic ${Buffer.from('ü:a b').toString('base64')}` },
			body: 'grant_type=client_credentials',
			disableFollowRedirect: true,
		});
	});

	test.each([
		['Client ID', { clientId: '' }],
		['Client Secret', { clientSecret: undefined }],
	])('is not sent without a %s', async (field, change) => {
		const httpRequest = jest.fn();
		const n8n = { helpers: { httpRequest } } as unknown as IHttpRequestHelper;
		const data = { ...app, ...change } as unknown as Fields;
		await expect(grantToken(n8n, data)).rejects.toThrow(`${field}: the value is empty`);
		expect(httpRequest).not.toHaveBeenCalled();
	});
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
		['a proxy', { proxy: 'http://proxy.example:3128' }, 'Proxy: '],
		['a proxy of n8n’s newer helper', { proxy: { host: 'proxy.example', port: 3128 } }, 'Proxy: '],
		['no check of certificates', { skipSslCertificateValidation: true }, 'Ignore SSL Issues: '],
		['no check of certificates by n8n’s older helper', { rejectUnauthorized: false }, 'Ignore SSL Issues: '],
		['certificates of its own', { agentOptions: { ca: 'PEM' } }, 'SSL Certificates: '],
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
			outcome: 'not sent',
		});
	});
});

const REJECTED =
	'No access token: the service rejected the Client ID or the Client Secret (401). Check both, and the Base URL, in the credential.';

describe('The error of a credential', () => {
	test('contains the advice in its message, which is all that n8n shows, once for requests that wait for the same token', async () => {
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
