import { type Failure, type FailureData, requestFailure } from '../shared/failure';
import { asText, joined, trimmed } from '../shared/values';
import type { ServiceResponse } from './request';

/** Why a request failed, by its status, or by the code of its connection. */
export interface Reason extends Pick<FailureData, 'outcome' | 'passes' | 'problem' | 'advice' | 'topic'> {
	readonly on: RegExp;
	/** Whether a service may respond so if nothing is at the path. */
	readonly isOfPath?: boolean;
}

/** What became of a request, and whether that may pass. */
const NOT_APPLIED = { outcome: 'not applied' } as const;
const NOT_APPLIED_PASSES = { outcome: 'not applied', passes: 'soon' } as const;
const UNKNOWN_PASSES = { outcome: 'unknown', passes: 'soon' } as const;
const UNKNOWN = { outcome: 'unknown' } as const;

export const CHECK_BASE_URL = 'Check the Base URL in the credential.';
export const CHECK_PERMISSIONS = 'Check the permissions of the app in the settings of the service.';
const CHECK_ACCESS =
	'Check that the app still has access to the account, and that the credential is for the right app. Public app: connect the account again.';
const CHECK_NETWORK = 'Check the network of your n8n.';

/** A proxy responds as if it were the service. */
const FAILED_ON_THE_WAY = 'the service, or a proxy on the way to it, failed';
const UNREACHABLE = 'the service cannot be reached';
const NOT_ENCRYPTED = 'the connection could not be encrypted';

/** The first row that matches counts. A row without advice leaves it to the request, if that was rejected. */
const REASONS: readonly Reason[] = [
	// Web applications redirect after success, too.
	{
		on: /^3\d\d$/,
		...UNKNOWN,
		problem: 'the service responded with a redirect',
		advice: CHECK_BASE_URL,
		isOfPath: true,
	},
	{ on: /^(401|498)$/, ...NOT_APPLIED, problem: 'the service rejected the access token', advice: CHECK_ACCESS },
	{
		on: /^403$/,
		...NOT_APPLIED,
		problem: 'the service denied access',
		advice: `${CHECK_PERMISSIONS} ${CHECK_BASE_URL} Public app: connect the account again.`,
		isOfPath: true,
	},
	{
		on: /^404$/,
		...NOT_APPLIED,
		problem: 'the service has nothing at this address',
		advice: CHECK_BASE_URL,
		isOfPath: true,
	},
	{
		on: /^407$/,
		...NOT_APPLIED,
		problem: 'the proxy between n8n and the service requires a password',
		advice: 'Check the proxy settings of your n8n.',
	},
	{ on: /^429$/, ...NOT_APPLIED_PASSES, problem: 'the service is rate-limiting requests', topic: 'rate limit' },
	{ on: /^425$/, ...NOT_APPLIED_PASSES, problem: FAILED_ON_THE_WAY },
	// The service may still be working.
	{ on: /^(408|499)$/, ...UNKNOWN_PASSES, problem: FAILED_ON_THE_WAY },
	{ on: /^4\d\d$/, ...NOT_APPLIED, problem: 'the service rejected the request' },
	// A CDN that had no connection to the service (Cloudflare).
	{ on: /^(52[1356]|530)$/, ...NOT_APPLIED_PASSES, problem: FAILED_ON_THE_WAY },
	{ on: /^(50[24]|52\d|59[89])$/, ...UNKNOWN_PASSES, problem: FAILED_ON_THE_WAY },
	{ on: /^503$/, ...UNKNOWN_PASSES, problem: 'the service failed' },
	{ on: /^5\d\d$/, ...UNKNOWN, problem: 'the service failed' },
	{
		on: /^ECONNREFUSED$/,
		...NOT_APPLIED_PASSES,
		problem: UNREACHABLE,
		advice: 'Check the Base URL, whether the service is running, and whether a DNS filter blocks it.',
	},
	{
		on: /^ENOTFOUND$/,
		...NOT_APPLIED,
		problem: 'the host of the service was not found',
		advice: 'Check the Base URL for typing errors.',
	},
	{ on: /^EAI_/, ...NOT_APPLIED_PASSES, problem: UNREACHABLE, advice: CHECK_NETWORK },
	{ on: /^E(HOST|NET)(UNREACH|DOWN)$|^EADDRNOTAVAIL$/, ...UNKNOWN_PASSES, problem: UNREACHABLE, advice: CHECK_NETWORK },
	{
		on: /^E.FILE$/,
		...NOT_APPLIED_PASSES,
		problem: 'your n8n has too many files open',
		advice: 'Restart n8n, or raise its limit of open files.',
	},
	{
		on: /^(ECONNABORTED|ETIMEDOUT)$/,
		...UNKNOWN_PASSES,
		problem: 'the service did not respond in time',
		topic: 'timeout',
	},
	{ on: /^(ECONNRESET|EPIPE|ERR_SSL_.*)$/, ...UNKNOWN_PASSES, problem: 'the connection to the service broke' },
	{
		on: /CERT|SIGNATURE|ISSUER/,
		...NOT_APPLIED,
		problem: NOT_ENCRYPTED,
		advice: 'Check the Base URL, the certificate of the service, and the clock of your n8n.',
		topic: 'certificate',
	},
	{
		on: /^(EPROTO$|ERR_TLS_)/,
		...NOT_APPLIED,
		problem: NOT_ENCRYPTED,
		advice: 'Check that the Base URL is an https:// address of the service.',
	},
];

const OTHER: Reason = {
	on: /^/,
	...UNKNOWN,
	problem: 'the service sent no usable response',
	advice: 'Check the Base URL and the network of your n8n.',
};

function findReason(statusOrCode: string, rows: readonly Reason[] = []): Reason {
	return [...rows, ...REASONS].find(({ on }) => on.test(statusOrCode)) ?? OTHER;
}

/** Returns the failure of a request whose token was rejected. It did nothing, and may be sent with another token. */
export function rejectedToken(): Failure {
	const { problem, advice } = findReason('401');
	return requestFailure(`${problem} (401)`, advice, { outcome: 'not applied', passes: 'with another token' });
}

/** Returns the failure of a request that got no response, by the code of the error, such as ECONNRESET; empty if there is none. */
export function connectionFailure(code: string): Failure {
	const reason = findReason(code);
	const { outcome, passes, problem, advice, topic } = reason;
	// n8n replaces a text that contains the name of a system error. The words of its row say no less.
	const isSystemError = reason !== OTHER && /^E[A-Z_]+$/.test(code);
	const withCode = code === '' || isSystemError ? problem : `${problem} (${code})`;
	return requestFailure(withCode, advice, { outcome, passes, topic });
}

export function timedOut(): Failure {
	return connectionFailure('ETIMEDOUT');
}

/** The statuses of firewalls, which then send a web page or nothing instead of JSON. */
const OF_FIREWALLS: readonly number[] = [403, 405, 406];

/**
 * Returns the failure in a response whose status is no success.
 *
 * @param advice what to do if the service rejected the request
 * @param rows what statuses mean besides, for this request
 */
export function statusFailure(response: ServiceResponse, advice: string, rows: readonly Reason[] = []): Failure {
	const { statusCode: status, body } = response;
	const reason = findReason(`${status}`, rows);
	const { outcome, passes, problem, isOfPath } = reason;
	const isRejected = outcome === 'not applied' && passes === undefined;
	const generalAdvice = reason.advice ?? (isRejected ? advice : undefined);
	const isOfFirewall = OF_FIREWALLS.includes(status) && typeof body !== 'object';
	return requestFailure(`${problem} (${status})`, isOfPath ? withPathAdvice(response, generalAdvice) : generalAdvice, {
		outcome,
		passes,
		topic: isOfFirewall ? 'firewall' : reason.topic,
		response: toFailedResponse(response),
	});
}

/**
 * Returns advice that says first, if the Base URL has a path, that this may be wrong: services respond to unknown paths in
 * many ways.
 */
export function withPathAdvice({ basePath }: ServiceResponse, advice?: string): string | undefined {
	if (!basePath) return advice;
	return joined(' ', `Remove ${basePath} from the Base URL in the credential, unless your service needs it.`, advice);
}

/** Returns the failure for a success of the service that lacks what is read from it. */
export function unreadable(problem: string, advice = CHECK_BASE_URL): Failure {
	return requestFailure(problem, advice);
}

/** Returns what a response says of a failure, besides what happened. */
export function toFailedResponse({ statusCode: status, headers, said }: ServiceResponse) {
	return { status, retryAfter: findRetryAfter(headers['retry-after']), said };
}

const SECONDS = /^\d{1,9}(\.\d+)?$/;
const HTTP_DATE = /^[A-Z][a-z]+, .* GMT$/;

/** Reads a `Retry-After` header: seconds, or a date (RFC 9110, section 10.2.3). Returns milliseconds of whole seconds. What is no wait does not count. */
function findRetryAfter(value: unknown): number | undefined {
	const text = trimmed(asText(value));
	const date = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
	const seconds = SECONDS.test(text) ? Number(text) : (date - Date.now()) / 1000;
	return seconds > 0 ? Math.ceil(seconds) * 1000 : undefined;
}

/** Whether a response says that nothing was done. */
export function isRejection({ statusCode }: ServiceResponse): boolean {
	return findReason(`${statusCode}`).outcome === 'not applied';
}

/** Returns a clause with a time in milliseconds since 1970, rounded up, such as "2026-12-24 18:00 UTC". */
export function asksToWaitUntil(time: number): string {
	const minutes = Math.ceil(Math.min(time, Date.UTC(9999, 11, 31)) / 60_000);
	return `the service asks to wait until ${new Date(minutes * 60_000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
