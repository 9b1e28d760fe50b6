import type { IDataObject } from 'n8n-workflow';

import { asObject, asText, isBlank, isObject } from '../shared/values';
import { Failed, type Failure } from './failure';
import { quoteSafely, type Secrets } from './quotes';
import type { Explanation, ServiceResponse, StatusExplanations } from './request';
import { unexpectedBody } from './response';
import { statusFailure, WITHOUT_PREFIX } from './status';

/** Returns the failure of a request that was not sent because there is no access token for it. */
export function tokenFailure(problem: string, advice?: string, others: Partial<Failure> = {}): Failure {
	return { problem, advice, ...others, kind: 'token', outcome: 'not applied' };
}

/** The service did not respond to a token request in time. */
export const TOKEN_TIMED_OUT = tokenFailure('the service did not respond to the token request in time', undefined, {
	code: 'ETIMEDOUT',
	passes: 'soon',
});

/** n8n failed, for which its log has the reason. */
export const NOT_STORED = tokenFailure(
	'n8n could not get or store one',
	'Try again. If that does not help, check the log of your n8n.',
);

/** The error codes of a token endpoint (RFC 6749, section 5.2). */
const ERROR_CODES = [
	'invalid_request',
	'invalid_client',
	'invalid_grant',
	'unauthorized_client',
	'unsupported_grant_type',
	'invalid_scope',
] as const;

type ErrorCode = (typeof ERROR_CODES)[number];

export function findErrorCode(body: unknown): ErrorCode | undefined {
	const { error } = asObject(body);
	return ERROR_CODES.find((code) => code === error);
}

/** What the error codes mean for a kind of app; `other` is a rejection without any of them. */
export type Rejections = Readonly<Record<ErrorCode | 'other', Explanation>>;

/** What is wrong if the service does not know the app, or its secret is wrong. */
export const INVALID_CLIENT = 'the service rejected the Client ID or the Client Secret';

/**
 * Returns the failure in a response of a token endpoint that is no success.
 *
 * @param response of which n8n's OAuth client may not tell the status
 */
export function tokenRejection(
	{ statusCode, headers = {}, body }: Partial<ServiceResponse>,
	rejections: Rejections,
	secrets: Secrets,
): Failure {
	const code = findErrorCode(body);
	const said = findQuote(body, secrets);
	if (statusCode === undefined) {
		// Without a standard code, it may be a rate limit.
		const [problem, advice] = rejections[code ?? 'other'];
		return tokenFailure(problem, advice, { code, said, passes: code ? undefined : 'soon' });
	}
	const failure = statusFailure(statusCode, headers, code ? { '4xx': rejections[code] } : statusesFor(rejections));
	// A token request may be repeated after any failure of the service.
	return {
		...failure,
		...(statusCode >= 500 && { passes: 'soon' }),
		kind: 'token',
		outcome: 'not applied',
		code,
		said,
	};
}

function statusesFor(rejections: Rejections): StatusExplanations {
	return {
		400: rejections.other,
		401: rejections.invalid_client,
		403: [
			'the service denied the token request',
			'Check the Base URL, and the permissions of the app in the settings of the service.',
		],
		404: ['the service has no token endpoint at this Base URL', `Check the Base URL. ${WITHOUT_PREFIX}`],
	};
}

/** Returns the service's explanation, or at least its error code, which is no secret and says enough of invalid_client. */
function findQuote(body: unknown, secrets: Secrets): string | undefined {
	const code = findErrorCode(body);
	if (code === 'invalid_client') return code;
	const { error_description: description, error } = asObject(body);
	return quoteSafely({ error_description: description, error }, secrets) ?? code;
}

/** What fits into an Authorization header (RFC 6750), of which servers accept some 16 kB. n8n would evaluate a token that begins with "=". */
export const SENDABLE_TOKEN = /^(?!=)[\x21-\x7E]{1,16000}$/;

/** The same, with spaces. */
const STORABLE_TEXT = /^(?!=)[\x20-\x7E]{1,16000}$/;

const isNumber = (value: unknown) => /^\d{1,16}(\.\d{1,16})?$/.test(asText(value));
const isText = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value);

/** What is kept of a token response (RFC 6749, section 5.1), and the time at which n8n found that the token expires. */
const TOKEN_FIELDS: ReadonlyArray<readonly [name: string, isValid: (value: unknown) => boolean]> = [
	['access_token', isText(SENDABLE_TOKEN)],
	['refresh_token', isText(STORABLE_TEXT)],
	['scope', isText(STORABLE_TEXT)],
	['expires_in', isNumber],
	['n8n_expires_at', isNumber],
];

/** Returns what is kept of a token response, each field only if it is valid. Throws Failed if the token is no bearer. */
export function readTokens(body: unknown): IDataObject {
	if (!isObject(body)) throw new Failed(tokenFailure(...unexpectedBody(body)));
	if (!isBearer(body.token_type)) {
		throw new Failed(tokenFailure('the service sent a token of a type other than Bearer', 'Check the Base URL.'));
	}
	const kept = TOKEN_FIELDS.filter(([name, isValid]) => isValid(body[name]));
	// n8n sends a token without a type, or with whitespace around it, in the address.
	return { ...Object.fromEntries(kept.map(([name]) => [name, body[name]])), token_type: 'Bearer' };
}

/**
 * Whether n8n may send a token of this type as a bearer. A client must not use a token of a type that it does not know
 * (RFC 6749, section 7.1); n8n would send it in the address.
 */
function isBearer(tokenType: unknown): boolean {
	return isBlank(tokenType) || (typeof tokenType === 'string' && tokenType.trim().toLowerCase() === 'bearer');
}
