import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/values';
import { type Failure, requestFailure } from './failure';
import type { Explanation, StatusExplanations } from './request';

const CHECK_NETWORK = 'Check the network of your n8n.';

/** Nothing reached the service. */
const NOT_APPLIED = { outcome: 'not applied' } as const;

const MAY_PASS = { passes: 'soon' } as const;

/** Why a request got no response, by the code of the error: the first that matches counts. */
const CONNECTION_FAILURES: ReadonlyArray<
	readonly [codes: RegExp, problem: string, advice?: string, others?: Pick<Failure, 'passes'> | typeof NOT_APPLIED]
> = [
	[
		/^ECONNREFUSED$/,
		'the service refused the connection',
		'Check the Base URL, and whether the service is running.',
		{ ...NOT_APPLIED, ...MAY_PASS },
	],
	[/^ENOTFOUND$/, 'the host of the service was not found', 'Check the Base URL for typing errors.', NOT_APPLIED],
	[/^EAI_AGAIN$/, 'the DNS lookup of the service failed', CHECK_NETWORK, NOT_APPLIED],
	[/^E(HOST|NET)UNREACH$/, 'the service is unreachable', CHECK_NETWORK],
	[/^(ECONNRESET|EPIPE)$/, 'the service closed the connection before its response was complete', undefined, MAY_PASS],
	[/^(ECONNABORTED|ETIMEDOUT)$/, 'the service did not respond in time', undefined, MAY_PASS],
	[
		/^HPE_HEADER_OVERFLOW$/,
		'the headers of the response are too large for n8n',
		'Check the Base URL, and what the service or a proxy adds to its responses.',
	],
	[/^HPE_/, 'the response is not HTTP', 'Check the Base URL: its protocol, host, and port.'],
	[/^Z_(BUF|DATA)_ERROR$/, 'the compressed response of the service is corrupt', undefined, MAY_PASS],
	// Usually after the handshake: if that fails, the code is EPROTO.
	[/^ERR_SSL_/, 'the encrypted connection to the service broke', undefined, MAY_PASS],
	[
		/^CERT_HAS_EXPIRED$/,
		'the certificate of the service has expired',
		'Have it renewed, and check the clock of your n8n.',
		NOT_APPLIED,
	],
	[
		/^CERT_NOT_YET_VALID$/,
		'the certificate of the service is not valid yet',
		'Check the clock of your n8n, and the certificate.',
		NOT_APPLIED,
	],
	[
		/^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)$/,
		'the certificate of the service is self-signed',
		'Make your n8n trust it (NODE_EXTRA_CA_CERTS), or use another certificate.',
		NOT_APPLIED,
	],
	[
		/^ERR_TLS_CERT_ALTNAME_INVALID$/,
		'the certificate of the service is for another host name',
		'Check the Base URL for typing errors.',
		NOT_APPLIED,
	],
	[
		/CERT|SIGNATURE|ISSUER/,
		'your n8n does not trust the certificate of the service',
		'Check the Base URL, and that the service sends the whole certificate chain.',
		NOT_APPLIED,
	],
	[
		/^(EPROTO$|ERR_TLS_)/,
		'the TLS handshake failed',
		'Check that the Base URL is an https:// address of the service.',
		NOT_APPLIED,
	],
];

/**
 * Returns the failure of a request that got no response.
 *
 * @param code of the error, such as ECONNRESET; empty if there is none
 */
export function connectionFailure(code: string): Failure {
	const known = CONNECTION_FAILURES.find(([codes]) => codes.test(code));
	const [, problem, advice, others] = known ?? [
		code,
		'the service could not be reached',
		'Check the Base URL and the network of your n8n.',
	];
	return requestFailure(problem, advice, { code, ...others });
}

/** The service did not respond within the time limit. */
export const TIMED_OUT = connectionFailure('ETIMEDOUT');

/** What to do besides if nothing is found at the Base URL. */
export const WITHOUT_PREFIX =
	'If anything follows the host in it, such as /myband, remove that, unless your service needs it.';

const STATUSES: StatusExplanations = {
	'3xx': ['the service responded with a redirect', 'Check the Base URL in the credential.'],
	407: ['the proxy between n8n and the service requires a password', 'Check the proxy settings of your n8n.'],
	429: ['the service is rate-limiting requests'],
	'4xx': ['the service rejected the request', 'Check the Base URL in the credential.'],
	// A proxy responds to the request to connect as if it were the service.
	502: ['the service, or a proxy on the way to it, failed'],
	504: ['the service, or a proxy on the way to it, failed'],
	'5xx': ['the service failed'],
};

/** The statuses of a service that is busy or restarting (RFC 6585, section 4; RFC 9110, section 15.6). */
const TRANSIENT_STATUSES: readonly number[] = [429, 502, 503, 504];

/** Returns the failure in a response whose status is no success. `specific` is what statuses mean for this request. */
export function statusFailure(status: number, headers: IDataObject, specific: StatusExplanations): Failure {
	const explanations = { ...STATUSES, ...specific };
	const range = status >= 500 ? '5xx' : status >= 300 && status < 400 ? '3xx' : '4xx';
	const [problem = '', advice] = explanations[status] ?? explanations[range] ?? [];
	// Web applications redirect after success, and after 408 and 499 the server may still be working.
	const isRejected = status >= 400 && status < 500 && status !== 408 && status !== 499;
	return requestFailure(`${problem} (${status})`, advice, {
		outcome: isRejected ? 'not applied' : 'unknown',
		...readRetryHints(status, headers),
	});
}

/** Returns what a response says of a retry. The names of its headers are in lower case. */
export function readRetryHints(status: number, headers: IDataObject): Partial<Failure> {
	const retryAfter = readRetryAfter(headers['retry-after']);
	const isTransient = TRANSIENT_STATUSES.includes(status);
	const passes = isTransient ? 'soon' : status >= 500 ? 'later' : undefined;
	return { status, retryAfter, ...(passes && { passes }) };
}

/** Returns the milliseconds of a `Retry-After` header: seconds, or a date (RFC 9110, section 10.2.3). Neither 0 nor a past date counts. */
function readRetryAfter(value: unknown): number | undefined {
	const text = typeof value === 'string' ? value.trim() : '';
	// Date.parse also accepts texts such as "-5"; dates of HTTP begin with the name of a day.
	const date = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN;
	const wait = /^\d+$/.test(text) ? Number(text) * 1000 : date - Date.now();
	return wait > 0 ? wait : undefined;
}

/** Explains a response that is not a JSON object. */
export function unexpectedBody(body: unknown, advice = 'Check the Base URL in the credential.'): Explanation {
	const isMarkup = /^\s*</.test(asText(body));
	const found = isMarkup ? 'a web page instead of data' : 'something other than a JSON object';
	return [`the service responded with ${found}`, advice];
}
