import { ServiceError } from '../explainedErrors';
import { describeFailure, type ServiceRequest } from './serviceRequest';

/** What became of the access of a public app, which n8n renews by itself. */
const NOT_RENEWED =
	'did not renew the access to the account. Open the credential, check the Client ID and the Client Secret, and connect it again.';

/** What became of a request that got no answer, by the code that Node.js or axios gave it. */
const FAILURES: Record<string, string> = {
	ECONNREFUSED: 'refused the connection. Check the Base URL, and whether the service is running.',
	ENOTFOUND: 'could not be found under its host name. Check the Base URL for typing errors.',
	EAI_AGAIN: 'could not be found: the name look-up failed. Check the network of your n8n.',
	EHOSTUNREACH: 'could not be reached over the network. Check the network of your n8n.',
	ENETUNREACH: 'could not be reached over the network. Check the network of your n8n.',
	ECONNRESET: 'closed the connection before its answer was complete. Try again later.',
	EPIPE: 'closed the connection before its answer was complete. Try again later.',
	ERR_BAD_RESPONSE: 'closed the connection before its answer was complete. Try again later.',
	ECONNABORTED: 'did not answer in time. Try again later.',
	ETIMEDOUT: 'did not answer in time. Try again later.',
	EAUTH: NOT_RENEWED,
	// n8n's OAuth2 client, where the service has given no refresh token.
	ERR_ASSERTION: NOT_RENEWED,
};

/** Of these, the ones that a service which is busy or restarts goes through. */
const PASSING = new Set([
	'ECONNREFUSED',
	'ECONNRESET',
	'EPIPE',
	'ERR_BAD_RESPONSE',
	'ECONNABORTED',
	'ETIMEDOUT',
]);

/** Of these, the ones of a request that never got to the service. */
const NOT_ARRIVED = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
]);

const CERTIFICATE_CODE = /CERT|SIGNATURE|ISSUER|ALTNAME/;
/** How newer versions of n8n word that, without a code. */
const NEEDS_RECONNECTING = /\breconnect/i;
const TLS_CODE = /^(EPROTO$|ERR_SSL|ERR_TLS)/;

/**
 * Says in words why no answer came.
 *
 * @param error what the request threw
 * @returns the end of a sentence that begins with "The service", and what to do
 */
export function describeConnectionFailure(error: unknown): string {
	const code = readCode(error);
	const known = FAILURES[code];
	if (known) return known;
	if (!code && NEEDS_RECONNECTING.test(readMessage(error))) return NOT_RENEWED;
	if (CERTIFICATE_CODE.test(code)) {
		return 'has a certificate that your n8n does not trust. Check the Base URL, or have the certificate mended.';
	}
	if (TLS_CODE.test(code)) {
		return 'could not be spoken to over TLS. Check that the Base URL is an https:// address of the service.';
	}
	return 'could not be reached. Check the Base URL and the network of your n8n.';
}

/**
 * The error for a request that got no answer. What n8n threw may hold the request with its secrets, so
 * none of that is passed on.
 *
 * @param request how to begin the message
 * @param error what the request threw
 */
export function toServiceError(
	request: Pick<ServiceRequest, 'failure' | 'doubt'>,
	error: unknown,
): ServiceError {
	const code = readCode(error);
	const words = describeConnectionFailure(error);
	const isUntrusted = CERTIFICATE_CODE.test(code) || TLS_CODE.test(code);
	const isNotDone = NOT_ARRIVED.has(code) || isUntrusted || words === NOT_RENEWED;
	return new ServiceError(describeFailure(request, `the service ${words}`, isNotDone), {
		isNotDone,
		isPassing: PASSING.has(code),
	});
}

function readMessage(error: unknown): string {
	return error instanceof Error ? error.message : '';
}

function readCode(error: unknown): string {
	if (typeof error !== 'object' || error === null) return '';
	// n8n keeps the code as `httpCode` of what it throws.
	const { code, httpCode, cause } = error as Record<string, unknown>;
	const known = code ?? httpCode;
	if (typeof known !== 'string') return readCode(cause);
	// A status: n8n 1 tells no more of an answer that broke off.
	return /^\d+$/.test(known) ? 'ERR_BAD_RESPONSE' : known;
}
