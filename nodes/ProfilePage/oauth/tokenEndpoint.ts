import type { IHttpRequestHelper, IN8nHttpFullResponse } from 'n8n-workflow';

import { NoTokenError, type Problem } from '../shared/errors';
import {
	explainConnectionFailure,
	explainStatus,
	explainUnexpectedBody,
	readRetryHints,
} from '../shared/failures';
import { asObject, asText, isObject } from '../shared/values';
import { TimedOut, withTimeout } from '../shared/waiting';

const TIME_LIMIT_MS = 15_000;

/** Asks for JSON that is not compressed: n8n's request helper waits forever for the rest of corrupt data. */
export const ACCEPT_JSON = { Accept: 'application/json', 'Accept-Encoding': 'identity' } as const;

interface ClientCredentials {
	readonly tokenUrl: string;
	readonly clientId: string;
	readonly clientSecret: string;
}

/** The fields of a token response that are used (docs/api.md, section 3.4). */
interface TokenResponse {
	readonly accessToken: string;
	/** In seconds, if the service says so. */
	readonly expiresIn: unknown;
}

/**
 * Requests an access token with the client_credentials grant (docs/api.md, section 3.2; RFC 6749, section 4.4).
 * Throws NoTokenError, which contains neither the secret nor a token.
 */
export async function requestToken(
	n8n: IHttpRequestHelper,
	client: ClientCredentials,
): Promise<TokenResponse> {
	const { statusCode, headers, body } = await sendGrant(n8n, client);
	const isSuccess = statusCode >= 200 && statusCode <= 299;
	const result = isSuccess ? readTokenResponse(body) : explainRejection(statusCode, body, client);
	if ('accessToken' in result) return result;
	const advice = `${result.advice}${quoteErrorCode(body)}`;
	throw new NoTokenError({ ...result, advice }, readRetryHints(statusCode, headers));
}

async function sendGrant(
	n8n: IHttpRequestHelper,
	{ tokenUrl, clientId, clientSecret }: ClientCredentials,
): Promise<IN8nHttpFullResponse> {
	// In UTF-8 (RFC 7617, section 2.1).
	const basic = Buffer.from(`${clientId}:${clientSecret}`, 'utf8').toString('base64');
	const request = {
		method: 'POST',
		url: tokenUrl,
		headers: {
			...ACCEPT_JSON,
			Authorization: `Basic ${basic}`,
			'Content-Type': 'application/x-www-form-urlencoded',
		},
		body: 'grant_type=client_credentials',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	} as const;
	// Not the option `timeout`, which starts anew with each byte received.
	const send = async (abortSignal: AbortSignal): Promise<unknown> =>
		await n8n.helpers.httpRequest({ ...request, abortSignal });
	try {
		return (await withTimeout(TIME_LIMIT_MS, undefined, send)) as IN8nHttpFullResponse;
	} catch (error) {
		throw error instanceof TimedOut ? tokenTimedOut() : noTokenBecause(error);
	}
}

/** Returns the error for a token request that got no response. */
export function noTokenBecause(error: unknown): NoTokenError {
	const { details, ...problem } = explainConnectionFailure(error);
	return new NoTokenError(problem, details);
}

export function tokenTimedOut(details?: { isShared: boolean }): NoTokenError {
	const problem = 'the service did not respond to the token request in time';
	const advice = 'The request itself was not sent. Try again later.';
	return new NoTokenError({ problem, advice }, { ...details, isTransient: true });
}

/** Explains the status of a token endpoint. `rejected` explains that it rejects the app or its tokens. */
export function explainTokenStatus(status: number, rejected: string): Problem {
	return explainStatus(status, {
		400: rejected,
		401: rejected,
		403: 'the service denied the token request. Check the Base URL, the Client ID and the Client Secret.',
		404: 'the service has no token endpoint at this Base URL. Check the Base URL.',
	});
}

function explainRejection(
	status: number,
	body: unknown,
	{ clientId, clientSecret }: ClientCredentials,
): Problem {
	const hints: Array<[isFound: boolean, hint: string]> = [
		// RFC 6749, section 5.2: the app may not use this grant.
		[
			asObject(body).error === 'unauthorized_client',
			'If the app is a public app, use a Profile Page OAuth2 API credential.',
		],
		[clientId !== clientId.trim(), 'The Client ID starts or ends with whitespace.'],
		[clientSecret !== clientSecret.trim(), 'The Client Secret starts or ends with whitespace.'],
		// RFC 7617, section 2: a service that splits at the first colon reads another ID.
		[clientId.includes(':'), 'The Client ID contains a colon, which HTTP Basic does not allow.'],
		// RFC 6749, section 2.3.1: a service may decode both, as if they came in a form.
		[
			/[%+]/.test(clientId + clientSecret),
			'One of them contains "%" or "+", which some services decode. If so, enter them percent-encoded ("%25", "%2B").',
		],
	];
	const [, hint = ''] = hints.find(([isFound]) => isFound) ?? [];
	const problem = 'the service rejected the Client ID or the Client Secret';
	return explainTokenStatus(
		status,
		`${problem}. Check both, and the Base URL, in the credential. ${hint}`.trim(),
	);
}

function readTokenResponse(body: unknown): TokenResponse | Problem {
	if (!isObject(body)) return explainUnexpectedBody(body);
	const { access_token: accessToken, token_type: tokenType, expires_in: expiresIn } = body;
	if (!isSendableToken(accessToken)) {
		const advice = 'Check the Base URL, and that the app may get tokens.';
		return { problem: 'the response contains none', advice };
	}
	// RFC 6749, section 7.1: a client must not use a token of a type that it does not know.
	const isBearer = tokenType === undefined || asText(tokenType).toLowerCase() === 'bearer';
	if (isBearer) return { accessToken, expiresIn };
	const advice = 'Check the Base URL.';
	return { problem: 'the service sent a token of a type other than Bearer', advice };
}

/**
 * Whether a value fits into an Authorization header (RFC 6750), of which servers accept some 16 kB at most. n8n would
 * evaluate one that starts with "=".
 */
export function isSendableToken(token: unknown): token is string {
	return typeof token === 'string' && /^(?!=)[\x21-\x7E]{1,16000}$/.test(token);
}

/** The error codes of a token endpoint (RFC 6749, section 5.2). */
const ERROR_CODE =
	/^(invalid_(request|client|grant|scope)|unauthorized_client|unsupported_grant_type)$/;

/** Quotes a standard error code, to be appended to a text. Anything else might repeat the secret. */
export function quoteErrorCode(body: unknown): string {
	const code = asText(asObject(body).error);
	return ERROR_CODE.test(code) ? ` The service said: "${code}".` : '';
}
