import { type Failure, tokenFailure } from '../shared/failure';
import { asObject, asText, isBlank, isObject, trimmed } from '../shared/values';
import { noObject, type Reason, statusFailure, toFailedResponse } from './reasons';
import { isSuccess, type ServiceResponse } from './request';
import { isFailedStatus } from './response';

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
 * @throws Failure if it contains no access token, or one that is no bearer
 */
export function parseToken(response: ServiceResponse): string {
	const { statusCode: status, body } = response;
	// It may be a token in another form, so it is not quoted.
	if (!isObject(body)) throw noObject(body).with({ response: { status } });
	checkBearer(body.token_type);
	if (isSendable(body.access_token)) return body.access_token;
	const advice = 'Check the Base URL, and that the app may get tokens.';
	throw tokenFailure('the response contains none', advice, { response: toFailedResponse(response) });
}

/** Throws Failure if a token is of a type other than bearer. */
export function checkBearer(tokenType: unknown): void {
	const isBearer = isBlank(tokenType) || trimmed(asText(tokenType)).toLowerCase() === 'bearer';
	if (!isBearer) throw tokenFailure('the service sent a token of a type other than Bearer', 'Check the Base URL.');
}

/** By which services say that a token has ended (RFC 6750, section 3.1). */
const REJECTING_CODE = /^(?:invalid_token|expired_token|token_expired)$/i;

/** Whether a response rejects the access token: then nothing was done, and another token may help. */
export function rejectsToken(response: ServiceResponse): boolean {
	const { statusCode, body } = response;
	if (statusCode === 401 || statusCode === 498) return true;
	const { status, code, error, errors } = asObject(body);
	const isRejected = isSuccess(response) ? isFailedStatus(status) : statusCode === 400 || statusCode === 403;
	const codes = [code, error, errors].flat().map((each) => (isObject(each) ? (each.code ?? each.error) : each));
	return isRejected && codes.some((each) => REJECTING_CODE.test(asText(each)));
}

/**
 * Returns a failure of a token request, such as of its connection, as that of the requests that wait for the token: they
 * were not sent.
 */
export function asTokenFailure(failure: Failure): Failure {
	const { kind, advice = 'Check the credential.' } = failure.data;
	if (kind === 'stopped' || kind === 'token') return failure;
	return failure.with({ kind: 'token', outcome: 'not applied', ...(kind === 'node' && { advice }), cause: undefined });
}

/** If the app is at fault. */
const INVALID_CLIENT: Reason = {
	on: /^4/,
	outcome: 'not applied',
	problem: 'the service rejected the Client ID or the Client Secret',
	advice: 'Check the Client ID, the Client Secret, and the Base URL in the credential.',
};

/** What the statuses of a token endpoint mean (RFC 6749, section 5.2). */
const TOKEN_REASONS: readonly Reason[] = [
	{
		on: /^4(?!08|25|29|99)/,
		outcome: 'not applied',
		problem: 'the service did not give the app a token',
		advice:
			'Check the Base URL in the credential, and the app in the settings of the service. If it is a public app, use a Profile Page Public App OAuth2 API credential.',
	},
	// A token request may be repeated after any failure of the service.
	{ on: /^5/, outcome: 'unknown', isTransient: true, problem: 'the service failed' },
];

/**
 * Returns the failure in a response of a token endpoint that is no success.
 *
 * @param rows what its statuses mean before anything else
 */
export function tokenStatusFailure(response: ServiceResponse, rows: readonly Reason[] = []): Failure {
	const { statusCode, body } = response;
	const isInvalidClient = statusCode === 401 || asObject(body).error === 'invalid_client';
	const ofClient = isInvalidClient ? [INVALID_CLIENT] : [];
	return statusFailure(response, {}, [...rows, ...ofClient, ...TOKEN_REASONS]);
}
