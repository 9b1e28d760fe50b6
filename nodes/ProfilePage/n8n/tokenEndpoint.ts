import { explainStatus } from '../service/explain';
import type { Explanation, Failure, ServiceResponse } from '../service/types';
import { asObject, asText } from '../shared/values';

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

/** Returns the failure in a response without a token. Any request for a token may be repeated. */
export function noTokenIn({ statusCode, body }: ServiceResponse, explanation: Explanation): Failure {
	return noToken(explanation, { status: statusCode, said: readErrorCode(body) });
}

/**
 * Returns the failure in a response of a token endpoint that is no success.
 *
 * @param rejected explains that it rejects the app or its tokens
 */
export function tokenRejection({ statusCode, headers, body }: ServiceResponse, rejected: Explanation): Failure {
	const failure = explainStatus(statusCode, headers, {
		400: rejected,
		401: rejected,
		403: ['the service denied the token request', 'Check the Base URL, the Client ID and the Client Secret.'],
		404: [
			'the service has no token endpoint at this Base URL',
			'Check the Base URL. If anything follows the host in it, such as /myband, remove that, unless your service needs it.',
		],
	});
	const isTransient = statusCode === 429 || statusCode >= 500;
	const said = readErrorCode(body);
	return { ...failure, kind: 'token', outcome: 'not sent', code: said, said, ...(isTransient && { passes: 'soon' }) };
}

/** The error codes of a token endpoint (RFC 6749, section 5.2). */
const ERROR_CODE = /^(invalid_(request|client|grant|scope)|unauthorized_client|unsupported_grant_type)$/;

/** Returns a standard error code. Anything else might repeat the secret. */
export function readErrorCode(body: unknown): string | undefined {
	const code = asText(asObject(body).error);
	return ERROR_CODE.test(code) ? code : undefined;
}
