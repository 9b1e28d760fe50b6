import { connectionError, explainStatus, type Headers, readRetryHints } from '../http/failures';
import { type FailureDetails, noToken, type Problem, type ServiceError } from '../shared/errors';
import { asObject, asText } from '../shared/values';

/** What a private app sends to the token endpoint. */
export interface ClientCredentials {
	readonly tokenUrl: string;
	readonly clientId: string;
	readonly clientSecret: string;
}

/** Returns the error for a token request that got no response. */
export function noTokenBecause(error: unknown): ServiceError {
	const { message: problem, advice, details } = connectionError(error);
	return noToken({ problem, advice }, details);
}

export function tokenTimedOut(details?: FailureDetails): ServiceError {
	const problem = 'the service did not respond to the token request in time';
	const advice = 'The request itself was not sent. Try again later.';
	return noToken({ problem, advice }, { ...details, isTransient: true });
}

/** Returns what a response of the token endpoint says about a retry. Any request for a token may be repeated. */
export function readTokenHints(status: number, headers: Headers): FailureDetails {
	const isTransient = status === 429 || status >= 500;
	return { ...readRetryHints(status, headers), isTransient };
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

/** Explains why the token endpoint rejects a private app. */
export function explainRejection(
	status: number,
	body: unknown,
	{ clientId, clientSecret }: ClientCredentials,
): Problem {
	const hints: Array<[isFound: boolean, hint: string]> = [
		// RFC 6749, section 5.2: the app may not use this grant.
		[
			asObject(body).error === 'unauthorized_client',
			'If the app is a public app, use a Profile Page OAuth2 API credential.',
		],
		[clientId !== clientId.trim(), 'The Client ID starts or ends with whitespace.'],
		[clientSecret !== clientSecret.trim(), 'The Client Secret starts or ends with whitespace.'],
		// RFC 7617, section 2: a service that splits at the first colon reads another ID.
		[clientId.includes(':'), 'The Client ID contains a colon, which HTTP Basic does not allow.'],
		// RFC 6749, section 2.3.1: a service may decode both, as if they came in a form.
		[
			/[%+]/.test(clientId + clientSecret),
			'One of them contains "%" or "+", which some services decode. If so, enter them percent-encoded ("%25", "%2B").',
		],
	];
	const [, hint = ''] = hints.find(([isFound]) => isFound) ?? [];
	const problem = 'the service rejected the Client ID or the Client Secret';
	return explainTokenStatus(status, `${problem}. Check both, and the Base URL, in the credential. ${hint}`.trim());
}
