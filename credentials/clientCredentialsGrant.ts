import type { IHttpRequestHelper, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { FieldError, ServiceError } from '../nodes/ProfilePage/explainedErrors';
import { serviceUrl } from '../nodes/ProfilePage/wire/baseUrl';
import { toServiceError } from '../nodes/ProfilePage/wire/connectionFailure';
import { isObject } from '../nodes/ProfilePage/wire/envelope';
import { describeAnswer } from '../nodes/ProfilePage/wire/passing';
import { quoteService } from '../nodes/ProfilePage/wire/serviceWords';

/** How long the service may take for a token, from the first byte sent to the last one read. */
const GRANT_TIME_LIMIT_MS = 15_000;

/** A token that an Authorization header can carry: visible ASCII, which RFC 6750 stays within. */
const SENDABLE_TOKEN = /^[\x21-\x7E]+$/;

/** What a private app needs for a token: where the service is, and who the app is to it. */
export interface PrivateApp {
	/** The token endpoint, checked. */
	readonly tokenUrl: string;
	readonly clientId: string;
	readonly clientSecret: string;
}

/**
 * Reads the app from the fields of the credential.
 *
 * @throws FieldError if the Base URL can't be used, or the ID or the secret is empty
 */
export function readPrivateApp(credential: Record<string, unknown>): PrivateApp {
	return {
		tokenUrl: serviceUrl(credential.baseUrl, '/oauth/token'),
		clientId: readSecretText(credential.clientId, 'Client ID'),
		clientSecret: readSecretText(credential.clientSecret, 'Client Secret'),
	};
}

/** Every character counts in an ID or a secret, white space too: nothing is trimmed. */
function readSecretText(value: unknown, field: string): string {
	if (typeof value === 'string' && value !== '') return value;
	throw new FieldError(field, 'it is empty. Enter it in the credential.');
}

/**
 * Asks the service for an access token with the client_credentials grant (the service's contract,
 * section 4.2; RFC 6749, section 4.4). One request, which follows no redirect.
 *
 * @param n8n n8n's request helper
 * @param app the private app to get the token for
 * @returns the access token
 * @throws ServiceError if no token came; the message holds neither the secret nor a token
 */
export async function requestAccessToken(
	n8n: IHttpRequestHelper,
	app: PrivateApp,
): Promise<string> {
	const answer = await sendGrant(n8n, app);
	const problem = findProblem(answer, app);
	if (problem) {
		throw new ServiceError(
			quoteService(`No access token: ${problem}`, answer.body, secretsOf(app)),
			describeAnswer(answer.statusCode, answer.headers),
		);
	}
	return (answer.body as TokenAnswer).access_token as string;
}

/** What is read of a token answer (the contract, section 2); any of it may be missing. */
interface TokenAnswer {
	access_token?: unknown;
	token_type?: unknown;
}

async function sendGrant(n8n: IHttpRequestHelper, app: PrivateApp): Promise<IN8nHttpFullResponse> {
	const timeLimit = AbortSignal.timeout(GRANT_TIME_LIMIT_MS);
	const request: IHttpRequestOptions = {
		method: 'POST',
		url: app.tokenUrl,
		headers: {
			Accept: 'application/json',
			Authorization: basicAuthorization(app),
			'Content-Type': 'application/x-www-form-urlencoded',
		},
		body: 'grant_type=client_credentials',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		// Not `timeout`, which watches for silence alone: an answer that trickles in would never end.
		abortSignal: timeLimit,
	};
	return (await n8n.helpers.httpRequest(request).catch((error: unknown) => {
		throw toServiceError(
			{ failure: 'No access token' },
			timeLimit.aborted ? { code: 'ETIMEDOUT' } : error,
		);
	})) as IN8nHttpFullResponse;
}

/**
 * HTTP Basic with the ID as user and the secret as password (the contract, section 4.2), in UTF-8
 * (RFC 7617, section 2.1).
 */
function basicAuthorization({ clientId, clientSecret }: PrivateApp): string {
	return `Basic ${Buffer.from(`${clientId}:${clientSecret}`, 'utf8').toString('base64')}`;
}

function secretsOf(app: PrivateApp): string[] {
	return [app.clientSecret, basicAuthorization(app).replace('Basic ', '')];
}

/** @returns what is wrong with the answer and what to do, or undefined if it brings a token */
function findProblem({ statusCode, body }: IN8nHttpFullResponse, app: PrivateApp) {
	if (statusCode < 200 || statusCode > 299) return explainStatus(statusCode, app);
	if (!isObject(body)) {
		return 'the service answered with something other than JSON. Check the Base URL.';
	}
	const { access_token: accessToken, token_type: tokenType }: TokenAnswer = body;
	if (typeof accessToken !== 'string' || !SENDABLE_TOKEN.test(accessToken)) {
		return 'the answer of the service holds none. Check the Base URL, and that the app may get tokens.';
	}
	// RFC 6749, section 7.1: a client must not use a token of a type that it does not know.
	const isBearer = typeof tokenType === 'string' && tokenType.toLowerCase() === 'bearer';
	if (tokenType !== undefined && !isBearer) {
		return 'the service sent one of a type other than Bearer, which this node cannot use. Check the Base URL.';
	}
	return undefined;
}

function explainStatus(status: number, { clientId, clientSecret }: PrivateApp): string {
	if (status >= 300 && status < 400) {
		return `the service answered with a redirect (HTTP ${status}), which is not followed, so that the secret goes nowhere else. Check the Base URL.`;
	}
	if (status === 400 || status === 401 || status === 403) {
		return `the service refused the Client ID or the Client Secret (HTTP ${status}). Check both in the credential.${hintAtTyping(clientId, clientSecret)}`;
	}
	if (status === 404) {
		return `the service has no token endpoint at this Base URL (HTTP ${status}). Check the Base URL.`;
	}
	if (status === 429) {
		return `the service has had too many requests (HTTP ${status}). Try again later.`;
	}
	return `the service failed (HTTP ${status}). Try again later.`;
}

function hintAtTyping(clientId: string, clientSecret: string): string {
	if (clientId !== clientId.trim()) return ' The Client ID begins or ends with white space.';
	if (clientSecret !== clientSecret.trim()) {
		return ' The Client Secret begins or ends with white space.';
	}
	// RFC 7617, section 2: a service that splits at the first colon reads another ID.
	return clientId.includes(':')
		? ' The Client ID holds a colon, which some services cannot tell from the one before the secret.'
		: '';
}
