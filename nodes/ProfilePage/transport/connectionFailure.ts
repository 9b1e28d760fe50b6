import { ServiceError } from '../errors';
import { describeFailure, type Wording } from './serviceRequest';

const CORRUPT = 'sent an answer that is compressed and corrupt. Try again later.';

const SELF_SIGNED =
	'has a self-signed certificate, which your n8n does not trust. Have your n8n trust it (NODE_EXTRA_CA_CERTS), or use another certificate.';

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
	Z_BUF_ERROR: CORRUPT,
	Z_DATA_ERROR: CORRUPT,
	CERT_HAS_EXPIRED:
		'has a certificate that has expired. Have it renewed, and check the clock of your n8n.',
	CERT_NOT_YET_VALID:
		'has a certificate that is not valid yet. Check the clock of your n8n, and the certificate.',
	DEPTH_ZERO_SELF_SIGNED_CERT: SELF_SIGNED,
	SELF_SIGNED_CERT_IN_CHAIN: SELF_SIGNED,
	ERR_TLS_CERT_ALTNAME_INVALID:
		'has a certificate for another host name. Check the Base URL for typing errors.',
};

/** Of these, the ones that a service which is busy or restarts goes through. */
const TRANSIENT = new Set([
	'ECONNREFUSED',
	'ECONNRESET',
	'EPIPE',
	'ERR_BAD_RESPONSE',
	'ECONNABORTED',
	'ETIMEDOUT',
	'Z_BUF_ERROR',
	'Z_DATA_ERROR',
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
const TLS_CODE = /^(EPROTO$|ERR_SSL|ERR_TLS)/;

/** Of these, the ones of a connection that broke after the handshake. */
const BROKEN_RECORD = /RECORD_MAC|DECRYPTION/;

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
	if (CERTIFICATE_CODE.test(code)) {
		return 'has a certificate that your n8n does not trust. Check the Base URL, and that the certificate comes with its whole chain.';
	}
	if (TLS_CODE.test(code)) {
		return 'failed the TLS handshake. Check that the Base URL is an https:// address of the service.';
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
export function toServiceError(request: Wording, error: unknown): ServiceError {
	const code = readCode(error);
	const words = describeConnectionFailure(error);
	const isHandshake = CERTIFICATE_CODE.test(code) || TLS_CODE.test(code);
	const isNotApplied = NOT_ARRIVED.has(code) || (isHandshake && !BROKEN_RECORD.test(code));
	return new ServiceError(describeFailure(request, `the service ${words}`, isNotApplied), {
		isNotApplied,
		isTransient: TRANSIENT.has(code),
	});
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
