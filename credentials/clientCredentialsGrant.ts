import type { IHttpRequestHelper, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { FieldError, ServiceError, TimeLimitReached } from '../nodes/ProfilePage/errors';
import { withTimeout } from '../nodes/ProfilePage/waiting';
import { serviceUrl } from '../nodes/ProfilePage/transport/baseUrl';
import { toServiceError } from '../nodes/ProfilePage/transport/connectionFailure';
import { explainForeignBody, isObject } from '../nodes/ProfilePage/transport/envelope';
import { ACCEPT_JSON } from '../nodes/ProfilePage/transport/n8nRequest';
import { describeAnswer } from '../nodes/ProfilePage/transport/retryHints';
import { isSendableToken } from '../nodes/ProfilePage/transport/tokenBinding';
import {
	explainTokenStatus,
	NO_TOKEN_IN_TIME,
	quoteErrorCode,
} from '../nodes/ProfilePage/transport/tokenEndpoint';

/** How long the service may take for a token, from the first byte sent to the last one read. */
const GRANT_TIME_LIMIT_MS = 15_000;

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
	throw new FieldError(
		field,
		'it is empty. Enter it in the credential, or check the expression there.',
	);
}

/**
 * Asks the service for an access token with the client_credentials grant (the service's contract,
 * section 4.2; RFC 6749, section 4.4). One request, which follows no redirect.
 *
 * @param n8n n8n's request helper
 * @param app the private app to get the token for
 * @returns the access token, and its lifetime as the service gives it
 * @throws ServiceError if no token came; the message holds neither the secret nor a token
 */
export async function requestAccessToken(
	n8n: IHttpRequestHelper,
	app: PrivateApp,
): Promise<TokenAnswer> {
	const { statusCode, headers, body } = await sendGrant(n8n, app);
	const answer = statusCode >= 200 && statusCode <= 299 ? readTokenAnswer(body) : undefined;
	if (answer && typeof answer !== 'string') return answer;
	const problem = answer ?? explainTokenStatus(statusCode, REFUSAL, adviseOnRefusal(app));
	throw new ServiceError(
		`No access token: ${problem}${quoteErrorCode(body)}`,
		describeAnswer(statusCode, headers),
	);
}

/** What is read of a token answer (the contract, section 2). */
interface TokenAnswer {
	readonly accessToken: string;
	/** In seconds, if the service says so. */
	readonly expiresIn: unknown;
}

async function sendGrant(n8n: IHttpRequestHelper, app: PrivateApp): Promise<IN8nHttpFullResponse> {
	try {
		// Not the option `timeout`, which watches for silence alone: an answer may trickle in.
		return await withTimeout(GRANT_TIME_LIMIT_MS, undefined, async (abortSignal) => {
			const request: IHttpRequestOptions = {
				method: 'POST',
				url: app.tokenUrl,
				headers: {
					...ACCEPT_JSON,
					Authorization: basicAuthorization(app),
					'Content-Type': 'application/x-www-form-urlencoded',
				},
				body: 'grant_type=client_credentials',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				abortSignal,
			};
			return (await n8n.helpers.httpRequest(request)) as IN8nHttpFullResponse;
		});
	} catch (error) {
		throw error instanceof TimeLimitReached
			? new ServiceError(NO_TOKEN_IN_TIME, { isTransient: true })
			: toServiceError({ failure: 'No access token' }, error);
	}
}

/**
 * HTTP Basic with the ID as user and the secret as password (the contract, section 4.2), in UTF-8
 * (RFC 7617, section 2.1).
 */
function basicAuthorization({ clientId, clientSecret }: PrivateApp): string {
	return `Basic ${Buffer.from(`${clientId}:${clientSecret}`, 'utf8').toString('base64')}`;
}

/** @returns the token; or what is wrong with the answer, and what to do */
function readTokenAnswer(body: unknown): TokenAnswer | string {
	if (!isObject(body)) return explainForeignBody(body);
	const { access_token: accessToken, token_type: tokenType, expires_in: expiresIn } = body;
	if (!isSendableToken(accessToken)) {
		return 'the answer of the service contains none. Check the Base URL, and that the app may get tokens.';
	}
	// RFC 6749, section 7.1: a client must not use a token of a type that it does not know.
	const isBearer = typeof tokenType === 'string' && tokenType.toLowerCase() === 'bearer';
	if (tokenType !== undefined && !isBearer) {
		return 'the service sent one of a type other than Bearer, which this node cannot use. Check the Base URL.';
	}
	return { accessToken, expiresIn };
}

const REFUSAL = 'refused the Client ID or the Client Secret';

function adviseOnRefusal({ clientId, clientSecret }: PrivateApp): string {
	return `Check both in the credential.${hintAtTyping(clientId, clientSecret)}`;
}

function hintAtTyping(clientId: string, clientSecret: string): string {
	if (clientId !== clientId.trim()) return ' The Client ID begins or ends with white space.';
	if (clientSecret !== clientSecret.trim()) {
		return ' The Client Secret begins or ends with white space.';
	}
	// RFC 7617, section 2: a service that splits at the first colon reads another ID.
	if (clientId.includes(':')) {
		return ' The Client ID contains a colon, which some services cannot tell from the one before the secret.';
	}
	// RFC 6749, section 2.3.1: a service may decode both, as if they came in a form.
	return /[%+]/.test(clientId + clientSecret)
		? ' The Client ID or the Client Secret contains "%" or "+", which some services decode. If so, enter them percent-encoded ("%25", "%2B").'
		: '';
}
