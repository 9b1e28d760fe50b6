import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/values';
import { type Explanation, failed, type Failure, type StatusExplanations } from './types';

const CHECK_NETWORK = 'Check the network of your n8n.';

/** Why a request got no response, by the code of the error: the first that matches counts. */
const CONNECTION_FAILURES: ReadonlyArray<
	readonly [codes: RegExp, failure: Partial<Failure> & Pick<Failure, 'problem'>]
> = [
	[
		/^ECONNREFUSED$/,
		{
			problem: 'the service refused the connection',
			advice: 'Check the Base URL, and whether the service is running.',
			passes: 'soon',
			outcome: 'rejected',
		},
	],
	[
		/^ENOTFOUND$/,
		{
			problem: 'the host of the service was not found',
			advice: 'Check the Base URL for typing errors.',
			outcome: 'rejected',
		},
	],
	[/^EAI_AGAIN$/, { problem: 'the DNS lookup of the service failed', advice: CHECK_NETWORK, outcome: 'rejected' }],
	[/^E(HOST|NET)UNREACH$/, { problem: 'the service is unreachable', advice: CHECK_NETWORK }],
	[
		// n8n 1 reports a response that broke off by its status alone.
		/^(ECONNRESET|EPIPE|ERR_BAD_RESPONSE|\d+)$/,
		{ problem: 'the service closed the connection before its response was complete', passes: 'soon' },
	],
	[/^(ECONNABORTED|ETIMEDOUT)$/, { problem: 'the service did not respond in time', passes: 'soon' }],
	[
		/^HPE_HEADER_OVERFLOW$/,
		{
			problem: 'the headers of the response are too large for n8n',
			advice: 'Check the Base URL, and what the service or a proxy adds to its responses.',
		},
	],
	[/^HPE_/, { problem: 'the response is not HTTP', advice: 'Check the Base URL: its protocol, host, and port.' }],
	[/^Z_(BUF|DATA)_ERROR$/, { problem: 'the compressed response of the service is corrupt', passes: 'soon' }],
	// Usually after the handshake: if that fails, the code is EPROTO.
	[/^ERR_SSL_/, { problem: 'the encrypted connection to the service broke', passes: 'soon' }],
	[
		/^CERT_HAS_EXPIRED$/,
		{
			problem: 'the certificate of the service has expired',
			advice: 'Have it renewed, and check the clock of your n8n.',
			outcome: 'rejected',
		},
	],
	[
		/^CERT_NOT_YET_VALID$/,
		{
			problem: 'the certificate of the service is not valid yet',
			advice: 'Check the clock of your n8n, and the certificate.',
			outcome: 'rejected',
		},
	],
	[
		/^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)$/,
		{
			problem: 'the certificate of the service is self-signed',
			advice: 'Make your n8n trust it (NODE_EXTRA_CA_CERTS), or use another certificate.',
			outcome: 'rejected',
		},
	],
	[
		/^ERR_TLS_CERT_ALTNAME_INVALID$/,
		{
			problem: 'the certificate of the service is for another host name',
			advice: 'Check the Base URL for typing errors.',
			outcome: 'rejected',
		},
	],
	[
		/CERT|SIGNATURE|ISSUER/,
		{
			problem: 'your n8n does not trust the certificate of the service',
			advice: 'Check the Base URL, and that the service sends the whole certificate chain.',
			outcome: 'rejected',
		},
	],
	[
		// n8n passes an IP address as TLS server name, which Node.js 26 refuses.
		/^ERR_INVALID_ARG_VALUE$/,
		{
			problem: 'your n8n cannot use an IP address with https://',
			advice: 'Use a host name in the Base URL, such as localhost.',
			outcome: 'rejected',
		},
	],
	[
		/^(EPROTO$|ERR_TLS_)/,
		{
			problem: 'the TLS handshake failed',
			advice: 'Check that the Base URL is an https:// address of the service.',
			outcome: 'rejected',
		},
	],
	[/^/, { problem: 'the service could not be reached', advice: 'Check the Base URL and the network of your n8n.' }],
];

/**
 * Returns the failure of a request that got no response.
 *
 * @param code of the error, such as ECONNRESET; empty if there is none
 */
export function connectionFailure(code: string): Failure {
	const [, failure = { problem: '' }] = CONNECTION_FAILURES.find(([codes]) => codes.test(code)) ?? [];
	return { outcome: 'unknown', kind: 'request', code, ...failure };
}

/** The service did not respond within the time limit. */
export const TIMED_OUT = connectionFailure('ETIMEDOUT');

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
export function explainStatus(status: number, headers: IDataObject, specific: StatusExplanations): Failure {
	const explanations = { ...STATUSES, ...specific };
	const range = status >= 500 ? '5xx' : status >= 300 && status < 400 ? '3xx' : '4xx';
	const [problem = '', advice] = explanations[status] ?? explanations[range] ?? [];
	// Web applications redirect after success, and after 408 and 499 the server may still be working.
	const isRejected = status >= 400 && status < 500 && status !== 408 && status !== 499;
	return failed(`${problem} (${status})`, advice, {
		outcome: isRejected ? 'rejected' : 'unknown',
		...(status >= 500 && { passes: 'later' }),
		...readRetryHints(status, headers),
	});
}

/** Returns what a response says of a retry. The names of its headers are in lower case. */
export function readRetryHints(status: number, headers: IDataObject): Partial<Failure> {
	const retryAfter = readRetryAfter(headers['retry-after']);
	return { status, retryAfter, ...(TRANSIENT_STATUSES.includes(status) && { passes: 'soon' }) };
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
export function explainUnexpectedBody(body: unknown, advice = 'Check the Base URL in the credential.'): Explanation {
	const isMarkup = /^\s*</.test(asText(body));
	const found = isMarkup ? 'a web page instead of data' : 'something other than a JSON object';
	return [`the service responded with ${found}`, advice];
}

/** The values of `status` in a response by which services report a failure. */
export const FAILED_STATUSES: readonly unknown[] = [false, 0, 'false', 'error', 'fail', 'failed', 'failure'];

/** Whether a `status` in a response reports a failure; a text may be in any case. */
export function isFailedStatus(status: unknown): boolean {
	const value = typeof status === 'string' ? status.trim().toLowerCase() : status;
	return FAILED_STATUSES.includes(value);
}
