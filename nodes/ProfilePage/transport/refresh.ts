import type { IDataObject } from 'n8n-workflow';

import { bindTokens } from '../oauth/publicApp';
import { explainTokenStatus, noTokenBecause, quoteErrorCode } from '../oauth/tokenEndpoint';
import { NoTokenError } from '../shared/errors';
import { explainUnexpectedBody, readRetryHints } from '../shared/failures';
import { asObject, asText, isObject, parseJson } from '../shared/values';
import { withTimeout } from '../shared/waiting';
import { derive, type ServiceContext, type ServiceCredential } from './credential';

const NOT_RENEWED = 'the service did not renew access to the account';

export const CONNECT_AGAIN =
	'Open the credential, check the Client ID and the Client Secret, and connect the account again (Switch account, or Connect).';

/** How n8n says that there is no refresh token, or that it was rejected (n8n 2.8 and older). */
const NEEDS_RECONNECTING = /\breconnect|^refreshToken is required/i;

/** n8n itself gives up after five minutes, for which every execution would wait. */
const TIME_LIMIT_MS = 60_000;

/** Makes n8n renew the tokens of a public app (RFC 6749, section 6), and store them bound to it. Throws NoTokenError. */
export async function refreshByN8n(
	context: ServiceContext,
	{ app, data }: ServiceCredential,
): Promise<void> {
	let tokens = data.oauthTokenData;
	// n8n puts renewed tokens here before it stores them.
	const bindingData = Object.defineProperty({ ...data }, 'oauthTokenData', {
		enumerable: true,
		get: () => tokens,
		set: (oauthTokenData: IDataObject) => (tokens = bindTokens({ ...data, oauthTokenData })),
	});
	const getCredentials = async () => await Promise.resolve(bindingData);
	const refreshContext = derive(context, { getCredentials });
	try {
		await withTimeout(TIME_LIMIT_MS, undefined, async () => {
			await context.helpers.refreshOAuth2Token.call(refreshContext, app.credentialType);
		});
	} catch (error) {
		throw error instanceof NoTokenError ? error : explainRefresh(error);
	}
}

/** Explains what n8n's OAuth client throws, which has many shapes. */
function explainRefresh(error: unknown): NoTokenError {
	const { status, headers, body } = readErrorResponse(error);
	if (isObject(body) && typeof body.error === 'string') return explainRejection(body);
	if (status !== undefined && status >= 300) {
		const problem = explainTokenStatus(status, `${NOT_RENEWED}. ${CONNECT_AGAIN}`);
		return new NoTokenError(problem, readRetryHints(status, headers));
	}
	if (status !== undefined || error instanceof SyntaxError) {
		return new NoTokenError(explainUnexpectedBody(body));
	}
	const needsReconnecting = NEEDS_RECONNECTING.test(asText(asObject(error).message));
	return needsReconnecting ? explainRejection() : noTokenBecause(error);
}

/** @param body of the response, of which n8n drops the status */
function explainRejection(body?: unknown): NoTokenError {
	const code = quoteErrorCode(body);
	const isFinal = code || body === undefined;
	const advice = isFinal
		? `${CONNECT_AGAIN}${code}`
		: 'Try again later. If that does not help, open the credential and connect the account again.';
	return new NoTokenError({ problem: NOT_RENEWED, advice }, { isTransient: !isFinal });
}

/** Reads what the error contains of the response: all of it, or its status and body, or its body. */
function readErrorResponse(error: unknown): {
	status?: number;
	headers: IDataObject;
	body?: unknown;
} {
	const { response, body } = asObject(error);
	const { status, headers } = asObject(isObject(response) ? response : error);
	return {
		status: typeof status === 'number' ? status : undefined,
		headers: asObject(headers),
		body: typeof body === 'string' ? (parseJson(body) ?? body) : body,
	};
}
