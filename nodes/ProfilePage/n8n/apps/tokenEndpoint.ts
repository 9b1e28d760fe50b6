import { statusFailure, WITHOUT_PREFIX } from '../../service/explain';
import type { Failure } from '../../service/failure';
import { quoteSafely, type Secrets } from '../../service/quotes';
import type { Explanation, ServiceResponse, StatusExplanations } from '../../service/request';
import { asObject } from '../../shared/values';

/** Returns the failure of a request that was not sent because there is no access token for it. */
export function noToken([problem, advice]: Explanation, others: Partial<Failure> = {}): Failure {
	return { problem, advice, ...others, kind: 'token', outcome: 'not sent' };
}

/** The service did not respond to a token request in time. */
export const TOKEN_TIMED_OUT = noToken(['the service did not respond to the token request in time'], {
	code: 'TOKEN_TIMEOUT',
	passes: 'soon',
});

/** n8n failed, for which its log has the reason. */
export const NOT_STORED = noToken([
	'n8n could not get or store one',
	'Try again. If that does not help, check the log of your n8n.',
]);

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

export function readErrorCode(body: unknown): ErrorCode | undefined {
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
 * @param response without a status if that is unknown: n8n's OAuth client does not keep it
 */
export function tokenRejection(
	{ statusCode, headers = {}, body }: Partial<ServiceResponse>,
	rejections: Rejections,
	secrets: Secrets,
): Failure {
	const code = readErrorCode(body);
	const said = readWords(body, secrets);
	if (statusCode === undefined) {
		// Without a standard code, it may be a rate limit.
		return noToken(rejections[code ?? 'other'], { code, said, passes: code ? undefined : 'soon' });
	}
	const failure = statusFailure(statusCode, headers, code ? { '4xx': rejections[code] } : statusesFor(rejections));
	const isTransient = statusCode === 429 || statusCode >= 500;
	return { ...failure, ...(isTransient && { passes: 'soon' }), kind: 'token', outcome: 'not sent', code, said };
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
function readWords(body: unknown, secrets: Secrets): string | undefined {
	const code = readErrorCode(body);
	if (code === 'invalid_client') return code;
	const { error_description: description, error } = asObject(body);
	return quoteSafely({ error_description: description, error }, secrets) ?? code;
}
