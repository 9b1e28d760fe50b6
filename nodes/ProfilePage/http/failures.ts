import type { IDataObject } from 'n8n-workflow';

import { type FailureDetails, type Problem, ServiceError } from '../shared/errors';
import { asText, isObject } from '../shared/values';

/** What happened, and what to do about it: by HTTP status or range, or by patterns, of which the first that matches counts. */
export type Explanations = Readonly<Record<number | string, string>>;

/** Why a request got no response, by the code in the error. */
const CONNECTION_FAILURES: Explanations = {
	ECONNREFUSED: 'the service refused the connection. Check the Base URL, and whether the service is running.',
	ENOTFOUND: 'the host of the service was not found. Check the Base URL for typing errors.',
	EAI_AGAIN: 'the DNS lookup of the service failed. Check the network of your n8n.',
	'E(HOST|NET)UNREACH': 'the service is unreachable. Check the network of your n8n.',
	// n8n 1 reports a response that broke off by its status alone.
	'ECONNRESET|EPIPE|ERR_BAD_RESPONSE|\\d+':
		'the service closed the connection before its response was complete. Try again later.',
	'ECONNABORTED|ETIMEDOUT': 'the service did not respond in time. Try again later.',
	HPE_HEADER_OVERFLOW:
		'the headers of the response are too large for n8n. Check the Base URL, and what the service or a proxy adds to its responses.',
	'HPE_.*': 'the response is not HTTP. Check the Base URL: its protocol, host, and port.',
	'Z_(BUF|DATA)_ERROR': 'the compressed response of the service is corrupt. Try again later.',
	// Usually after the handshake: if that fails, the code is EPROTO.
	'ERR_SSL_.*': 'the encrypted connection to the service broke. Try again later.',
	CERT_HAS_EXPIRED: 'the certificate of the service has expired. Have it renewed, and check the clock of your n8n.',
	CERT_NOT_YET_VALID:
		'the certificate of the service is not valid yet. Check the clock of your n8n, and the certificate.',
	'DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN':
		'the certificate of the service is self-signed. Make your n8n trust it (NODE_EXTRA_CA_CERTS), or use another certificate.',
	ERR_TLS_CERT_ALTNAME_INVALID:
		'the certificate of the service is for another host name. Check the Base URL for typing errors.',
	'.*(CERT|SIGNATURE|ISSUER).*':
		'your n8n does not trust the certificate of the service. Check the Base URL, and that the service sends the whole certificate chain.',
	'EPROTO|ERR_TLS_.*': 'the TLS handshake failed. Check that the Base URL is an https:// address of the service.',
	'.*': 'the service could not be reached. Check the Base URL and the network of your n8n.',
};

const TRANSIENT_CODES =
	/^(ECONNREFUSED|ECONNRESET|EPIPE|ERR_BAD_RESPONSE|\d+|ECONNABORTED|ETIMEDOUT|Z_(BUF|DATA)_ERROR|ERR_SSL_.*)$/;

/** The request never reached the service, or the TLS handshake failed. */
const NOT_APPLIED_CODES =
	/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EPROTO|ERR_TLS_.*|(?!ERR_SSL_).*(CERT|SIGNATURE|ISSUER).*)$/;

/** What n8n itself refuses, by its messages, which come without a code. Nothing is sent then. */
const REFUSALS: Explanations = {
	'(The request was blocked because).*':
		"n8n's SSRF protection blocks the address of the service. Check the Base URL, or ask the administrator of your n8n to allow the service (N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES).",
	'(Domain not allowed:|No allowed domains specified).*':
		'the credential does not allow requests to the host of the service. Open the credential, and add the host to Allowed Domains, or set Allowed HTTP Request Domains to All.',
};

/** Returns the error for a request that got no response. Nothing else of the cause is passed on: it may contain secrets. */
export function connectionError(cause: unknown): ServiceError {
	const messages = messagesOf(cause);
	const [refusal] = messages.flatMap((message) => explain(message, REFUSALS) ?? []);
	const code = readCode(cause);
	// An established connection may end with such an error too.
	const isUnreached = code.endsWith('UNREACH') && messages.some((message) => message.includes('connect E'));
	const { problem, advice } = toProblem(refusal ?? explain(code, CONNECTION_FAILURES) ?? '');
	if (refusal) return new ServiceError(problem, advice, { history: 'not sent' });
	return new ServiceError(problem, advice, {
		isTransient: TRANSIENT_CODES.test(code),
		...((isUnreached || NOT_APPLIED_CODES.test(code)) && { history: 'rejected' }),
	});
}

function explain(text: string, explanations: Explanations): string | undefined {
	return Object.entries(explanations).find(([pattern]) => new RegExp(`^(${pattern})$`, 's').test(text))?.[1];
}

/** Returns the messages of an error and of its causes. */
function messagesOf(error: unknown): string[] {
	if (!isObject(error)) return [];
	const { message, description, messages, cause } = error;
	const others: unknown[] = Array.isArray(messages) ? messages : [];
	return [...[message, description, ...others].map(asText), ...messagesOf(cause)];
}

/** n8n keeps the code as `httpCode` of what it throws, or in the cause. */
function readCode(error: unknown): string {
	if (!isObject(error)) return '';
	const code = error.code ?? error.httpCode;
	return typeof code === 'string' ? code : readCode(error.cause);
}

const STATUSES: Explanations = {
	'3xx': 'the service responded with a redirect. Check the Base URL in the credential.',
	407: 'the proxy between n8n and the service requires a password. Check the proxy settings of your n8n.',
	429: 'the service is rate-limiting requests. Try again later.',
	'4xx': 'the service rejected the request. Check the Base URL in the credential.',
	// A proxy responds to the request to connect as if it were the service.
	502: 'the service, or a proxy on the way to it, failed. Try again later.',
	504: 'the service, or a proxy on the way to it, failed. Try again later.',
	'5xx': 'the service failed. Try again later.',
};

/** Explains the HTTP status of a response. `specific` is what statuses mean for this kind of request. */
export function explainStatus(status: number, specific: Explanations): Problem {
	const explanations = { ...STATUSES, ...specific };
	const range = status >= 500 ? '5xx' : status >= 300 && status < 400 ? '3xx' : '4xx';
	const { problem, advice } = toProblem(explanations[status] ?? explanations[range] ?? '');
	return { problem: `${problem} (${status})`, advice };
}

/** Splits an explanation into its first sentence and the advice after it. */
function toProblem(explanation: string): Problem {
	const [problem = '', ...advice] = explanation.split('. ');
	return { problem, advice: advice.join('. ') };
}

/** Explains a response that is not a JSON object. */
export function explainUnexpectedBody(body: unknown, advice = 'Check the Base URL in the credential.'): Problem {
	const isMarkup = /^\s*</.test(asText(body));
	const found = isMarkup ? 'a web page instead of data' : 'something other than a JSON object';
	return { problem: `the service responded with ${found}`, advice };
}

/** The values of `status` in a response by which services report a failure. */
export const FAILED_STATUSES: readonly unknown[] = [false, 0, 'false', 'error', 'fail', 'failed', 'failure'];

/** Whether a `status` in a response reports a failure; a text may be in any case. */
export function isFailedStatus(status: unknown): boolean {
	const value = typeof status === 'string' ? status.trim().toLowerCase() : status;
	return FAILED_STATUSES.includes(value);
}

/** The statuses of a service that is busy or restarting (RFC 6585, section 4; RFC 9110, section 15.6). */
const TRANSIENT_STATUSES: readonly number[] = [429, 502, 503, 504];

/** Returns what a response that is not a success says about a retry. The names of its headers are in lower case. */
export function readRetryHints(status: number, headers: IDataObject): FailureDetails {
	const retryAfter = readRetryAfter(headers['retry-after']);
	return { status, isTransient: TRANSIENT_STATUSES.includes(status), retryAfter };
}

/** Returns the milliseconds of a `Retry-After` header: seconds, or a date (RFC 9110, section 10.2.3). Neither 0 nor a past date counts. */
function readRetryAfter(value: unknown): number | undefined {
	const text = typeof value === 'string' ? value.trim() : '';
	// Date.parse also accepts texts such as "-5"; dates of HTTP begin with the name of a day.
	const date = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN;
	const wait = /^\d+$/.test(text) ? Number(text) * 1000 : date - Date.now();
	return wait > 0 ? wait : undefined;
}
