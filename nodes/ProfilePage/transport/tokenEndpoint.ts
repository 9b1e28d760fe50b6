import { asText, isObject } from './envelope';

/** What to say where the token does not come in time. */
export const NO_TOKEN_IN_TIME =
	'No access token: the service did not answer the token request in time. The request itself was not sent. Try again later.';

/** The codes by which a token endpoint says why it refuses (RFC 6749, section 5.2). */
const ERROR_CODES: readonly string[] = [
	'invalid_request',
	'invalid_client',
	'invalid_grant',
	'unauthorized_client',
	'unsupported_grant_type',
	'invalid_scope',
];

/** The statuses by which a token endpoint refuses the app (RFC 6749, section 5.2; the contract, section 7). */
const REFUSALS: readonly number[] = [400, 401];

/**
 * What a token endpoint's answer other than success means.
 *
 * @param status the HTTP status
 * @param refusal what a service does that refuses the app: "refused the Client ID"
 * @param advice what to do then
 * @returns the end of a sentence, and what to do
 */
export function explainTokenStatus(status: number, refusal: string, advice: string): string {
	if (status >= 300 && status < 400) {
		return `the service answered with a redirect (HTTP ${status}). Check the Base URL.`;
	}
	if (status === 403) {
		return `the service does not allow the token request (HTTP ${status}). Check the Base URL, the Client ID and the Client Secret.`;
	}
	if (status === 404) {
		return `the service has no token endpoint at this Base URL (HTTP ${status}). Check the Base URL.`;
	}
	if (status === 407) {
		return `the proxy between n8n and the service asks for a password (HTTP ${status}). Check the proxy settings of your n8n.`;
	}
	if (status === 429) {
		return `the service is rate-limiting requests (HTTP ${status}). Try again later.`;
	}
	if (REFUSALS.includes(status)) return `the service ${refusal} (HTTP ${status}). ${advice}`;
	return status < 500
		? `the service refused the request (HTTP ${status}). Check the Base URL.`
		: `the service failed (HTTP ${status}). Try again later.`;
}

/**
 * Quotes the standard error code of a token endpoint's answer, and nothing else of it: the rest might
 * repeat the secret.
 *
 * @returns a sentence that begins with a space, or an empty text
 */
export function quoteErrorCode(body: unknown): string {
	const code = isObject(body) ? asText(body.error) : '';
	return ERROR_CODES.includes(code) ? ` The service said: "${code}".` : '';
}
