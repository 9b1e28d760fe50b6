import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import type { ServiceCredential } from '../authentication';
import { NoTokenError } from '../errors';
import type { ServiceContext } from '../serviceContext';
import { withTimeout } from '../waiting';
import { toServiceError } from './connectionFailure';
import { asText, explainForeignBody, isObject } from './envelope';
import { contextWith } from './n8nRequest';
import { describeAnswer } from './retryHints';
import { bindConnectedTokens } from './tokenBinding';
import { explainTokenStatus, quoteErrorCode } from './tokenEndpoint';

const NO_TOKEN = 'No access token';

const NOT_RENEWED = 'did not renew the access to the account';

const CONNECT_AGAIN =
	'Open the credential, check the Client ID and the Client Secret, and connect the account again (Switch account, or Connect).';

/** How n8n words that there is no refresh token, or that it is refused. The latter part is of n8n 2.8 and older. */
const NEEDS_RECONNECTING = /\breconnect|^refreshToken is required/i;

/**
 * How long n8n may take to renew and store the tokens. n8n itself gives up after five minutes of
 * silence; all that time, every execution would wait for that one request.
 */
const RENEWAL_TIME_LIMIT_MS = 60_000;

/**
 * Lets n8n renew the tokens of a public app (RFC 6749, section 6), and store them bound to the service
 * that they are from.
 *
 * @throws NoTokenError if there are none
 */
export async function refreshByN8n(
	context: ServiceContext,
	{ type, data }: ServiceCredential,
): Promise<void> {
	try {
		const ofRefresh = contextWith(context, bindingData(data));
		await withTimeout(RENEWAL_TIME_LIMIT_MS, undefined, async () => {
			await context.helpers.refreshOAuth2Token.call(ofRefresh, type);
		});
	} catch (error) {
		throw explainRefresh(error);
	}
}

/** Why a renewal brought nothing: n8n takes any JSON object for new tokens, and keeps the old one. */
export function explainUnchangedToken(): NoTokenError {
	return new NoTokenError(`${NO_TOKEN}: the answer of the service contains none. ${CONNECT_AGAIN}`);
}

/** The fields of the credential, which bind the tokens that n8n puts there before it stores them. */
function bindingData(data: ICredentialDataDecryptedObject): ICredentialDataDecryptedObject {
	let tokens = data.oauthTokenData;
	return Object.defineProperty({ ...data }, 'oauthTokenData', {
		enumerable: true,
		get: () => tokens,
		set: (oauthTokenData: IDataObject) => {
			tokens = bindConnectedTokens({ ...data, oauthTokenData });
		},
	});
}

/** n8n renews tokens with a client of its own, whose errors have many shapes. */
function explainRefresh(error: unknown): NoTokenError {
	if (error instanceof NoTokenError) return error;
	const { status, headers, body } = readAnswer(error);
	if (isObject(body) && typeof body.error === 'string') return explainRefusal(body);
	if (status !== undefined && status >= 300) {
		const problem = explainTokenStatus(status, NOT_RENEWED, CONNECT_AGAIN);
		return new NoTokenError(`${NO_TOKEN}: ${problem}`, describeAnswer(status, headers));
	}
	if (status !== undefined || error instanceof SyntaxError) {
		return new NoTokenError(`${NO_TOKEN}: ${explainForeignBody(body)}`);
	}
	if (isObject(error) && NEEDS_RECONNECTING.test(asText(error.message))) return explainRefusal();
	const { message, details } = toServiceError({ failure: NO_TOKEN }, error);
	return new NoTokenError(message, details);
}

/** @param body that of the answer, of which n8n drops the status */
function explainRefusal(body?: unknown): NoTokenError {
	const code = quoteErrorCode(body);
	const isStandard = body === undefined || code !== '';
	return isStandard
		? new NoTokenError(`${NO_TOKEN}: the service ${NOT_RENEWED}. ${CONNECT_AGAIN}${code}`)
		: new NoTokenError(
				`${NO_TOKEN}: the service ${NOT_RENEWED}. Try again later. If that does not help, open the credential and connect the account again.`,
				{ isTransient: true },
			);
}

/** What n8n's client keeps of an answer: all of it, or its status and body, or its body. */
function readAnswer(error: unknown): {
	status?: number;
	headers: Record<string, unknown>;
	body?: unknown;
} {
	if (!isObject(error)) return { headers: {} };
	const { response, body } = error;
	const answer = isObject(response) ? response : error;
	return {
		status: typeof answer.status === 'number' ? answer.status : undefined,
		headers: isObject(answer.headers) ? answer.headers : {},
		body: parseJson(body),
	};
}

/** @returns what is no JSON as it is */
function parseJson(body: unknown): unknown {
	if (typeof body !== 'string') return body;
	try {
		return JSON.parse(body) as unknown;
	} catch {
		return body;
	}
}
