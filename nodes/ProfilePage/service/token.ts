import { type Failure, requestFailure, tokenFailure } from '../shared/failure';
import { asObject, asText, isBlank, isObject, trimmed } from '../shared/values';
import { isSuccess, type ServiceResponse } from './request';
import { isFailedStatus, noObject } from './response';
import { CHECK_ACCESS, type Explanations, isRejection, readChallenge, statusFailure, toFailedResponse } from './status';

export function tokenTimedOut(): Failure {
	const problem = 'the service did not respond to the token request in time';
	return tokenFailure(problem, undefined, { isTimeout: true, passes: 'soon' });
}

/** What fits into an Authorization header (RFC 6750), of which servers accept some 16 kB. n8n would evaluate a token that begins with "=". */
const SENDABLE_TOKEN = /^(?!=)[\x21-\x7E]{1,16000}$/;

export function isSendable(token: unknown): token is string {
	return typeof token === 'string' && SENDABLE_TOKEN.test(token);
}

/** Where tokens are requested (docs/api.md, section 3). */
export const TOKEN_PATH = '/oauth/token';

/**
 * Parses a token response (RFC 6749, section 5.1). A client must not use a token of a type that it does not know (section
 * 7.1); a missing type is taken for bearer.
 *
 * @param secrets what no message may repeat
 * @throws Failure if it contains no access token, or one that is no bearer
 */
export function parseToken(response: ServiceResponse, secrets: ReadonlySet<string>): string {
	const { body } = response;
	const quoting = { response: toFailedResponse(response, secrets) };
	if (!isObject(body)) throw tokenFailure(...noObject(body), quoting);
	checkBearer(body.token_type);
	if (isSendable(body.access_token)) return body.access_token;
	throw tokenFailure('the response contains none', 'Check the Base URL, and that the app may get tokens.', quoting);
}

/** Throws Failure if a token is of a type other than bearer. */
export function checkBearer(tokenType: unknown): void {
	const isBearer = isBlank(tokenType) || trimmed(asText(tokenType)).toLowerCase() === 'bearer';
	if (!isBearer) throw tokenFailure('the service sent a token of a type other than Bearer', 'Check the Base URL.');
}

/** By which services say that a token has ended (RFC 6750, section 3.1). */
const REJECTING_CODES: readonly unknown[] = ['invalid_token', 'expired_token', 'token_expired'];

/** Whether a value is such a code, or contains one: `{ "errors": [{ "code": "invalid_token" }] }`. */
function hasRejectingCode(value: unknown, depth = 0): boolean {
	if (typeof value === 'string') return REJECTING_CODES.includes(value.toLowerCase());
	const isNested = typeof value === 'object' && value !== null && depth < 4;
	return isNested && Object.values(value).some((inner) => hasRejectingCode(inner, depth + 1));
}

/**
 * Whether a response rejects the access token: then nothing was done, and another token may help. A 403 may do so, or say
 * that the app may not do this, or that the path is unknown.
 */
export function rejectsToken({ statusCode: status, headers, body }: ServiceResponse): boolean | 'maybe' {
	if (status === 401 || status === 498) return true;
	if (isRejection(status) && hasRejectingCode([body, readChallenge(headers).error])) return true;
	const { status: reported, error, errors } = asObject(body);
	if (isSuccess({ statusCode: status }) && isFailedStatus(reported) && hasRejectingCode([error, errors])) return true;
	return status === 403 && 'maybe';
}

/** Returns the failure of a request whose token was rejected. It did nothing, and may be sent with another token. */
export function rejectedToken(): Failure {
	const more = { outcome: 'not applied', passes: 'with another token' } as const;
	return requestFailure('the service rejected the access token', CHECK_ACCESS, more);
}

/** Returns a failure of a token request, such as of its connection, as that of the request which needs the token. */
export function asTokenFailure({ data: { problem, advice, ...more } }: Failure): Failure {
	return tokenFailure(problem, advice, more);
}

/**
 * Returns the failure in a response of a token endpoint that is no success. A token request may be repeated after any
 * failure of the service.
 *
 * @param specific what statuses mean for this request
 */
export function tokenRejection(
	response: ServiceResponse,
	specific: Explanations,
	secrets: ReadonlySet<string>,
): Failure {
	const { problem, advice, ...more } = statusFailure(response, TOKEN_PATH, specific, secrets).data;
	return tokenFailure(problem, advice, { ...more, ...(response.statusCode >= 500 && { passes: 'soon' }) });
}
