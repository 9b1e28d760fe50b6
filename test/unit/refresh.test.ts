import type { IDataObject } from 'n8n-workflow';

import { NoTokenError } from '../../nodes/ProfilePage/shared/errors';
import { bindTokens, publicApp } from '../../nodes/ProfilePage/oauth/publicApp';
import {
	type ServiceContext,
	ServiceCredential,
} from '../../nodes/ProfilePage/transport/credential';
import { refreshByN8n } from '../../nodes/ProfilePage/transport/refresh';
import { useFakeClock } from '../support/fakeClock';

useFakeClock();

const data = {
	baseUrl: 'https://example.com',
	clientId: 'id',
	clientSecret: 's3cret',
	oauthTokenData: { access_token: 'old', refresh_token: 'refresh' },
};
const credential = new ServiceCredential(publicApp, '1', data, 0);

type Refresh = (this: ServiceContext, type: string) => Promise<unknown>;

/** Refreshes the tokens with a mock of n8n's helper. */
async function renew(refreshOAuth2Token: Refresh): Promise<void> {
	const context = { helpers: { refreshOAuth2Token } };
	await refreshByN8n(context as unknown as ServiceContext, credential);
}

/** Returns the error for what n8n's helper throws. */
async function explain(failure: Error): Promise<NoTokenError> {
	const helper = async () => await Promise.reject(failure);
	const error: unknown = await renew(helper).catch((caught: unknown) => caught);
	expect(error).toBeInstanceOf(NoTokenError);
	return error as NoTokenError;
}

const CONNECT_AGAIN =
	'Open the credential, check the Client ID and the Client Secret, and connect the account again (Switch account, or Connect).';
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
		[503, thrown.axios(503), 'the service failed (503)', 'Try again later.', true],
		[500, thrown.axios(500), 'the service failed (500)', 'Try again later.', false],
		[
			429,
			thrown.response(429, 'Slow down'),
			'the service is rate-limiting requests (429)',
			'Try again later.',
			true,
		],
		[
			404,
			thrown.response(404, '<html>'),
			'the service has no token endpoint at this Base URL (404)',
			'Check the Base URL.',
			false,
		],
		[
			307,
			thrown.response(307, ''),
			'the service responded with a redirect (307)',
			'Check the Base URL in the credential.',
			false,
		],
		[
			401,
			thrown.response(401, 'No.'),
			'the service did not renew access to the account (401)',
			CONNECT_AGAIN,
			false,
		],
	])('is explained by its status, HTTP %p', async (status, error, problem, advice, isTransient) => {
		const explained = await explain(error);
		expect(explained.message).toBe(`No access token: ${problem}`);
		expect(explained.advice).toBe(advice);
		expect(explained.details).toMatchObject({ status, isTransient, isNotApplied: true });
	});

	test('is retried after the time in Retry-After', async () => {
		const { details } = await explain(thrown.axios(503, { 'retry-after': '7' }));
		expect(details.retryAfter).toBe(7000);
	});

	test.each(['<!DOCTYPE html>', '', '{"status": tr', undefined])(
		'of 200 and no tokens is reported as not JSON: %j',
		async (body) => {
			const error = thrown.response(200, body, 'Unsupported content type: text/html');
			const { text, details } = await explain(error);
			expect(text).toMatch(NO_JSON);
			expect(details.isTransient).toBeFalsy();
		},
	);
});

test('A failed refresh whose response could not be parsed is reported as not JSON', async () => {
	expect((await explain(new SyntaxError('Unexpected token <'))).text).toMatch(NO_JSON);
});

describe('A rejected refresh', () => {
	test.each([
		[
			'a standard code',
			{ error: 'invalid_grant', error_description: 's3cret' },
			'"invalid_grant".',
		],
		['a standard code in a text', '{"error":"invalid_client"}', '"invalid_client".'],
	])('with %s quotes the code and nothing else', async (_what, body, code) => {
		const { message, advice, details } = await explain(thrown.rejection(body));
		expect(message).toBe(NOT_RENEWED);
		expect(advice).toBe(`${CONNECT_AGAIN} The service said: ${code}`);
		expect(details.isTransient).toBeFalsy();
	});

	test('with another code, such as that of a rate limit, quotes nothing and is transient', async () => {
		const { message, advice, details } = await explain(thrown.rejection({ error: 's3cret' }));
		expect(message).toBe(NOT_RENEWED);
		expect(advice).toBe(
			'Try again later. If that does not help, open the credential and connect the account again.',
		);
		expect(details.isTransient).toBe(true);
	});

	test.each([
		'The credential "Sandbox" needs to be reconnected.',
		'OAuth access token expired and no refresh token is available. Please reconnect the credentials.',
		'refreshToken is required',
	])('with a message of n8n is not reported as a connection failure: %s', async (words) => {
		const { message, advice, details } = await explain(new Error(words));
		expect(message).toBe(NOT_RENEWED);
		expect(advice).toBe(CONNECT_AGAIN);
		expect(details.isTransient).toBeFalsy();
	});
});

test.each([
	['ECONNREFUSED', 'the service refused the connection', true],
	['ECONNRESET', 'the service closed the connection before its response was complete', true],
	['ENOTFOUND', 'the host of the service was not found', false],
	['CERT_HAS_EXPIRED', 'the certificate of the service has expired', false],
])(
	'A failed refresh without a response is explained by its code, %s',
	async (code, words, isTransient) => {
		const { message, details } = await explain(Object.assign(new Error('x'), { code }));
		expect(message).toBe(`No access token: ${words}`);
		expect(details).toMatchObject({ isTransient, isNotApplied: true });
	},
);

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
	const outcome = expect(refreshing).rejects.toMatchObject({
		message: 'No access token: the service did not respond in time',
		details: { isTransient: true },
	});
	await jest.advanceTimersByTimeAsync(59_999);
	expect(settled).not.toHaveBeenCalled();
	await jest.advanceTimersByTimeAsync(1);
	await outcome;
});

test('A refresh whose response contains an n8n expression is rejected', async () => {
	const refreshing = renew(async function (type) {
		const data = await this.getCredentials(type);
		data.oauthTokenData = { access_token: '={{ 1 }}' };
	});
	await expect(refreshing).rejects.toThrow(
		'No access token: the response contains an n8n expression',
	);
});

test('n8n stores refreshed tokens bound to the app that they belong to', async () => {
	let stored: IDataObject = {};
	await renew(async function (type) {
		const data = await this.getCredentials(type);
		expect(data.oauthTokenData).toEqual({ access_token: 'old', refresh_token: 'refresh' });
		data.oauthTokenData = { access_token: 'new', refresh_token: 'next' };
		// n8n reads the tokens in this way to store them.
		stored = { ...data }.oauthTokenData as IDataObject;
	});
	expect(stored).toMatchObject({ access_token: 'new', refresh_token: 'next' });
	const { data } = credential;
	expect(bindTokens({ ...data, oauthTokenData: stored })).toEqual(stored);
	expect(() => bindTokens({ ...data, clientId: 'other', oauthTokenData: stored })).toThrow(
		'Credential: its Base URL or Client ID was changed after the account was connected',
	);
});
