import type { IDataObject } from 'n8n-workflow';

import { withData } from '../../nodes/ProfilePage/authentication';
import { NoTokenError } from '../../nodes/ProfilePage/errors';
import type { ServiceContext } from '../../nodes/ProfilePage/serviceContext';
import { explainUnchangedToken, refreshByN8n } from '../../nodes/ProfilePage/transport/refresh';
import { bindConnectedTokens } from '../../nodes/ProfilePage/transport/tokenBinding';

const credential = withData(
	{ type: 'profilePageOAuth2Api', id: '1', isPublicApp: true },
	{
		baseUrl: 'https://example.com',
		clientId: 'id',
		clientSecret: 's3cret',
		oauthTokenData: { access_token: 'old', refresh_token: 'refresh' },
	},
);

type Refresh = (this: ServiceContext, type: string) => Promise<unknown>;

/** Renews the tokens with a stand-in for n8n's helper. */
async function renew(refreshOAuth2Token: Refresh): Promise<void> {
	const context = { helpers: { refreshOAuth2Token } };
	await refreshByN8n(context as unknown as ServiceContext, credential);
}

/** @returns the error for what n8n's helper throws */
async function explain(failure: Error): Promise<NoTokenError> {
	const helper = async () => await Promise.reject(failure);
	const error: unknown = await renew(helper).catch((caught: unknown) => caught);
	expect(error).toBeInstanceOf(NoTokenError);
	return error as NoTokenError;
}

const CONNECT_AGAIN =
	'Open the credential, check the Client ID and the Client Secret, and connect the account again (Switch account, or Connect).';
const NOT_RENEWED = `No access token: the service did not renew the access to the account. ${CONNECT_AGAIN}`;
const NO_JSON =
	/^No access token: the service answered with (a web page instead of data|something other than a JSON object)\. Check the Base URL in the credential\.$/;

/** What n8n's client throws, in the shapes that n8n-core 1.122 to 2.41 have. */
const thrown = {
	/** axios, for statuses from 500 on. */
	axios: (status: number, headers: Record<string, string> = {}, data: unknown = '') =>
		Object.assign(new Error(`Request failed with status code ${status}`), {
			code: 'ERR_BAD_RESPONSE',
			response: { status, headers, data },
		}),
	/** ResponseError of the client. */
	answer: (status: number, body: unknown, message = `HTTP status ${status}`) =>
		Object.assign(new Error(message), { status, body, code: 'ESTATUS' }),
	/** AuthError of the client, which keeps no status. */
	refusal: (body: unknown) => Object.assign(new Error('x'), { body, code: 'EAUTH' }),
};

describe('an answer whose status the error has', () => {
	test.each([
		[503, thrown.axios(503), 'the service failed (HTTP 503). Try again later.', true],
		[500, thrown.axios(500), 'the service failed (HTTP 500). Try again later.', false],
		[
			429,
			thrown.answer(429, 'Slow down'),
			'the service is rate-limiting requests (HTTP 429). Try again later.',
			true,
		],
		[
			404,
			thrown.answer(404, '<html>'),
			'the service has no token endpoint at this Base URL (HTTP 404). Check the Base URL.',
			false,
		],
		[
			307,
			thrown.answer(307, ''),
			'the service answered with a redirect (HTTP 307). Check the Base URL.',
			false,
		],
		[
			401,
			thrown.answer(401, 'No.'),
			`the service did not renew the access to the account (HTTP 401). ${CONNECT_AGAIN}`,
			false,
		],
	])('is explained by that: HTTP %p', async (answerStatus, error, problem, isTransient) => {
		const { message, details } = await explain(error);
		expect(message).toBe(`No access token: ${problem}`);
		expect(details).toMatchObject({ answerStatus, isTransient, isNotApplied: true });
	});

	test('is retried when it says so', async () => {
		const { details } = await explain(thrown.axios(503, { 'retry-after': '7' }));
		expect(details.retryAfter).toBe(7000);
	});

	test.each(['<!DOCTYPE html>', '', '{"status": tr', undefined])(
		'of 200 without tokens in it is no JSON: %j',
		async (body) => {
			const error = thrown.answer(200, body, 'Unsupported content type: text/html');
			const { message, details } = await explain(error);
			expect(message).toMatch(NO_JSON);
			expect(details.isTransient).toBeFalsy();
		},
	);
});

test('a body that could not be parsed is no JSON', async () => {
	expect((await explain(new SyntaxError('Unexpected token <'))).message).toMatch(NO_JSON);
});

describe('a refusal', () => {
	test.each([
		[
			'a standard code',
			{ error: 'invalid_grant', error_description: 's3cret' },
			'"invalid_grant".',
		],
		['a standard code in a text', '{"error":"invalid_client"}', '"invalid_client".'],
	])('by %s quotes the code and nothing else', async (_what, body, code) => {
		const { message, details } = await explain(thrown.refusal(body));
		expect(message).toBe(`${NOT_RENEWED} The service said: ${code}`);
		expect(details.isTransient).toBeFalsy();
	});

	test('by another code, such as that of a rate limit, quotes nothing and may pass', async () => {
		const { message, details } = await explain(thrown.refusal({ error: 's3cret' }));
		expect(message).toBe(
			'No access token: the service did not renew the access to the account. Try again later. If that does not help, open the credential and connect the account again.',
		);
		expect(details.isTransient).toBe(true);
	});

	test.each([
		'The credential "Sandbox" needs to be reconnected.',
		'OAuth access token expired and no refresh token is available. Please reconnect the credentials.',
		'refreshToken is required',
	])('that n8n words itself is told from a broken connection: %s', async (words) => {
		const { message, details } = await explain(new Error(words));
		expect(message).toBe(NOT_RENEWED);
		expect(details.isTransient).toBeFalsy();
	});
});

test.each([
	['ECONNREFUSED', 'the service refused the connection.', true],
	['ECONNRESET', 'the service closed the connection before its answer was complete.', true],
	['ENOTFOUND', 'the service could not be found under its host name.', false],
	['CERT_HAS_EXPIRED', 'the service has a certificate that has expired.', false],
])(
	'a request that got no answer is explained by its code: %s',
	async (code, words, isTransient) => {
		const { message, details } = await explain(Object.assign(new Error('x'), { code }));
		expect(message).toContain(`No access token: ${words}`);
		expect(details).toMatchObject({ isTransient, isNotApplied: true });
	},
);

test.each([undefined, null, 'text', {}, new Error('x')])(
	'whatever n8n throws is explained without it: %p',
	async (error) => {
		expect((await explain(error as Error)).message).toBe(
			'No access token: the service could not be reached. Check the Base URL and the network of your n8n.',
		);
	},
);

test('a renewal that takes too long is given up, so that another execution can try', async () => {
	const timeLimit = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
	const never = async () => await new Promise(() => undefined);
	await expect(renew(never)).rejects.toThrow(
		'No access token: the service did not answer in time.',
	);
	expect(timeLimit).toHaveBeenCalledWith(60_000);
	jest.restoreAllMocks();
});

test('n8n stores the new tokens bound to the app that they were renewed for', async () => {
	let stored: IDataObject = {};
	await renew(async function (type) {
		const data = await this.getCredentials(type);
		expect(data.oauthTokenData).toEqual({ access_token: 'old', refresh_token: 'refresh' });
		data.oauthTokenData = { access_token: 'new', refresh_token: 'next' };
		// As n8n reads them to store them.
		stored = { ...data }.oauthTokenData as IDataObject;
	});
	expect(stored).toMatchObject({ access_token: 'new', refresh_token: 'next' });
	const { data } = credential;
	expect(bindConnectedTokens({ ...data, oauthTokenData: stored })).toEqual(stored);
	expect(() => bindConnectedTokens({ ...data, clientId: 'other', oauthTokenData: stored })).toThrow(
		'Credential: its Base URL or Client ID was changed after it was connected.',
	);
});

test('an answer that leaves the access token as it was is told as such', () => {
	expect(explainUnchangedToken().message).toBe(
		`No access token: the answer of the service contains none. ${CONNECT_AGAIN}`,
	);
});
