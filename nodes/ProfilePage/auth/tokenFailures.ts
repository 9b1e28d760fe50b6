import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { connectionError, explainStatus, readRetryHints } from '../http/failures';
import { NOT_SENT, noToken, type Problem, type ServiceError } from '../shared/errors';
import { asObject, asText } from '../shared/values';

/** The problem of a token request that took too long. */
export const TOKEN_TIMEOUT: Problem = {
	problem: 'the service did not respond to the token request in time',
	advice: `${NOT_SENT} Try again later.`,
};

/** The problem if n8n fails, for which the log has the reason. */
export const NOT_STORED: Problem = {
	problem: 'n8n could not get or store one',
	advice: 'Try again. If that does not help, check the log of your n8n.',
};

/** Returns the error for a token request that got no response. */
export function noTokenBecause(error: unknown): ServiceError {
	const { message: problem, advice, details } = connectionError(error);
	return noToken({ problem, advice }, details);
}

/** A response of the token endpoint. */
export type TokenResponse = Pick<IN8nHttpFullResponse, 'statusCode' | 'headers'> & { readonly body: unknown };

/** Returns the error for a response without a token. Any request for a token may be repeated. */
export function noTokenIn({ statusCode, headers, body }: TokenResponse, { problem, advice }: Problem): ServiceError {
	const isTransient = statusCode === 429 || statusCode >= 500;
	const details = { ...readRetryHints(statusCode, headers), isTransient };
	return noToken({ problem, advice: `${advice}${quoteErrorCode(body)}` }, details);
}

/** Explains the status of a token endpoint. `rejected` explains that it rejects the app or its tokens. */
export function explainTokenStatus(status: number, rejected: string): Problem {
	return explainStatus(status, {
		400: rejected,
		401: rejected,
		403: 'the service denied the token request. Check the Base URL, the Client ID and the Client Secret.',
		404: 'the service has no token endpoint at this Base URL. Check the Base URL. If anything follows the host in it, such as /myband, remove that, unless your service needs it.',
	});
}

/** The error codes of a token endpoint (RFC 6749, section 5.2). */
const ERROR_CODE = /^(invalid_(request|client|grant|scope)|unauthorized_client|unsupported_grant_type)$/;

/** Quotes a standard error code, to be appended to a text. Anything else might repeat the secret. */
export function quoteErrorCode(body: unknown): string {
	const code = asText(asObject(body).error);
	return ERROR_CODE.test(code) ? ` The service said: "${code}".` : '';
}
