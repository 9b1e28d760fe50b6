import { type Failure, type FailureData, requestFailure } from '../shared/failure';
import { asText, joined, trimmed } from '../shared/values';
import type { ServiceRequest, ServiceResponse } from './request';
import { LIST_TIMEOUT_MS } from './waiting';

/** Why a request failed, by its status, or by the code of its connection. */
export interface Reason extends Pick<FailureData, 'outcome' | 'isTransient' | 'problem' | 'advice' | 'ifOften'> {
	readonly on: RegExp;
	/** Whether a service may respond so if nothing is at the path. */
	readonly isOfPath?: boolean;
}

/** What became of a request, and whether that may pass. */
const NOT_APPLIED = { outcome: 'not applied' } as const;
const NOT_APPLIED_TRANSIENT = { outcome: 'not applied', isTransient: true } as const;
const UNKNOWN = { outcome: 'unknown' } as const;
const UNKNOWN_TRANSIENT = { outcome: 'unknown', isTransient: true } as const;

const CHECK_BASE_URL = 'Check the Base URL in the credential.';
const CHECK_ACCESS =
	'Check that the app still has access to the account, and that the credential is for the right app. Public app: connect the account again.';
const CHECK_PERMISSIONS =
	'Check the permissions of the app in the settings of the service. Public app: connect the account again.';

const FAILED = 'the service failed';
const UNREACHABLE = 'the service cannot be reached';

/** The first row that matches counts. */
const REASONS: readonly Reason[] = [
	// Web applications redirect after success, too.
	{ on: /^3\d\d$/, ...UNKNOWN, problem: 'the service responded with a redirect', isOfPath: true },
	{ on: /^(401|498)$/, ...NOT_APPLIED, problem: 'the service rejected the access token', advice: CHECK_ACCESS },
	{ on: /^403$/, ...NOT_APPLIED, problem: 'the service denied access', advice: CHECK_PERMISSIONS, isOfPath: true },
	{ on: /^404$/, ...NOT_APPLIED, problem: 'the service has nothing at this address', isOfPath: true },
	{
		on: /^429$/,
		...NOT_APPLIED_TRANSIENT,
		problem: 'the service is rate-limiting requests',
		ifOften: 'Run workflows less often, or lower Items per Batch in the options of Profile Page nodes.',
	},
	// Those from 520 on are of a CDN: with these, it had no connection to the service (Cloudflare).
	{ on: /^(425|52[1356]|530)$/, ...NOT_APPLIED_TRANSIENT, problem: FAILED },
	// A proxy on the way responds as if it were the service, which may still be working.
	{ on: /^(408|499|50[234]|52\d|59[89])$/, ...UNKNOWN_TRANSIENT, problem: FAILED },
	{ on: /^4\d\d$/, ...NOT_APPLIED, problem: 'the service rejected the request' },
	{ on: /^5\d\d$/, ...UNKNOWN, problem: FAILED },
	{
		on: /^(ECONNREFUSED|EAI_.*|E.FILE)$/,
		...NOT_APPLIED_TRANSIENT,
		problem: UNREACHABLE,
		advice: 'Check the Base URL, whether the service is running, and the network of your n8n.',
	},
	{
		on: /^(E(HOST|NET)(UNREACH|DOWN)|EADDRNOTAVAIL)$/,
		...UNKNOWN_TRANSIENT,
		problem: UNREACHABLE,
		advice: 'Check the network of your n8n.',
	},
	{
		on: /^ENOTFOUND$/,
		...NOT_APPLIED,
		problem: 'the host of the service was not found',
		advice: 'Check the Base URL for typing errors.',
	},
	{
		on: /^(ECONNABORTED|ETIMEDOUT)$/,
		...UNKNOWN_TRANSIENT,
		problem: 'the service did not respond in time',
		ifOften: `If it happens often, raise Timeout (ms) in the options of Profile Page nodes; lists and triggers wait for ${LIST_TIMEOUT_MS / 1000} seconds.`,
	},
	{ on: /^(ECONNRESET|EPIPE|ERR_SSL_.*)$/, ...UNKNOWN_TRANSIENT, problem: 'the connection to the service broke' },
	{
		on: /CERT|SIGNATURE|ISSUER|^EPROTO$|^ERR_TLS_/,
		...NOT_APPLIED,
		problem: 'the connection could not be encrypted',
		advice:
			'Check the Base URL, the certificate of the service, and the clock of your n8n. To trust a certificate, set NODE_EXTRA_CA_CERTS in the environment of your n8n.',
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

/** Returns the failure of a request that got no response, by the code of the error, such as ECONNRESET; empty if there is none. */
export function connectionFailure(code: string): Failure {
	const reason = findReason(code);
	const { problem, advice, outcome, isTransient, ifOften } = reason;
	// n8n and its nodes replace a text that contains the name of a system error. The words of its row say no less.
	const isShown = code !== '' && (reason === OTHER || !/^E[A-Z_]+$/.test(code));
	return requestFailure(isShown ? `${problem} (${code})` : problem, advice, { outcome, isTransient, ifOften });
}

export function timedOut(): Failure {
	return connectionFailure('ETIMEDOUT');
}

const CHECK_FIREWALL =
	'If the response came from a CDN or firewall, it may block a text that was sent, the address of your n8n, or its User-Agent: set N8N_ENFORCE_GLOBAL_USER_AGENT to true and N8N_GLOBAL_USER_AGENT_VALUE to the name of a browser in the environment of n8n, or ask the service to allow your n8n.';

/** Whether a rejection may be of a firewall: Imunify360 sends 415 with JSON, others a web page or nothing. */
function isOfFirewall({ statusCode, body }: ServiceResponse): boolean {
	return statusCode === 415 || ([403, 405, 406].includes(statusCode) && typeof body !== 'object');
}

/**
 * Returns the failure in a response whose status is no success.
 *
 * @param request has the advice for what the service rejects
 * @param rows what statuses mean before anything else
 */
export function statusFailure(
	response: ServiceResponse,
	request: Partial<Pick<ServiceRequest, 'advice' | 'ifNotFound'>> = {},
	rows: readonly Reason[] = [],
): Failure {
	const { statusCode: status } = response;
	const { problem, outcome, isTransient, isOfPath, advice, ifOften } = findReason(`${status}`, rows);
	const isRejected = outcome === 'not applied' && !isTransient;
	const known = joined(' ', isOfPath && (request.ifNotFound ?? CHECK_BASE_URL), advice);
	const advices = [known || (isRejected && request.advice), isOfFirewall(response) && CHECK_FIREWALL];
	return requestFailure(`${problem} (${status})`, joined(' ', ...advices) || undefined, {
		outcome,
		isTransient,
		ifOften,
		response: toFailedResponse(response),
	});
}

/** Returns the failure for a success of the service that lacks what is read from it. */
export function unreadable(problem: string, advice = CHECK_BASE_URL): Failure {
	return requestFailure(problem, advice);
}

/** Returns the failure for a body that is not a JSON object. Firewalls send a web page with status 200 as well. */
export function noObject(body: unknown, advice = CHECK_BASE_URL): Failure {
	const isMarkup = /^\s*</.test(asText(body));
	const found = isMarkup ? 'a web page instead of data' : 'something other than a JSON object';
	return unreadable(`the service responded with ${found}`, joined(' ', advice, isMarkup && CHECK_FIREWALL));
}

/** Returns what a response says of a failure, besides what happened. */
export function toFailedResponse({ statusCode: status, headers, said }: ServiceResponse) {
	return { status, retryAfter: findRetryAfter(headers['retry-after']), said };
}

/** Reads a `Retry-After` header: seconds, or a date (RFC 9110, section 10.2.3). Returns milliseconds of whole seconds; undefined for what is no wait. */
function findRetryAfter(value: unknown): number | undefined {
	const text = trimmed(asText(value));
	const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
	// A time in seconds since 1970 is not one.
	return seconds > 0 && seconds < 1e9 ? Math.ceil(seconds) * 1000 : undefined;
}

/** Returns a clause with a time in milliseconds since 1970, rounded up, such as "2026-12-24 18:00 UTC". */
export function asksToWaitUntil(time: number): string {
	const minutes = Math.ceil(time / 60_000);
	return `the service asks to wait until ${new Date(minutes * 60_000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
