import type { FailureData, Outcome } from './failure';

/** How long a request waits before its first retry, in milliseconds. It doubles with each further one. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
export const LONGEST_TOTAL_MS = 90_000;
/** A service that has accepted no request for so long, in milliseconds, is down. Until then, it may have a rate limit. */
const DOWN_AFTER_MS = 3000;
/** After so many attempts, a 503 uses up Max Retries even while other requests succeed: it may be of this request alone. */
const MAX_FREE_ATTEMPTS = 8;

/** What a sender has learned of the service. */
export interface ServiceState {
	hasAccepted: boolean;
	/** Since when it has rejected all requests, in milliseconds since 1970; undefined if it accepts them. */
	rejectsSince?: number;
	/** How many requests may be in flight, if the batch is not smaller. It grows by fractions after a pause. */
	limit: number;
	hasPaused: boolean;
	/** How many pauses in a row have left room for one request at a time. */
	pausesAtOne: number;
}

/**
 * What a failure means:
 *
 * - `dealt with`: the service rejected the request for good, such as with a 404. Whatever it says, it is not overloaded.
 * - `own`: it is of this request, such as a broken connection, a 502, or a token.
 * - `first`: the first 503 since a success. It may be of this request, unless another one fails before any succeeds.
 * - `rate limit`: a 429.
 * - `busy`: a 503 or Retry-After of a service that accepted requests just now.
 * - `down`: a 503 or Retry-After of a service that has accepted none, or none for three seconds.
 */
export type Meaning = 'dealt with' | 'own' | 'first' | 'rate limit' | 'busy' | 'down';

/**
 * What follows from it, if the request is sent again: whether that uses up one of Max Retries, and whether all requests
 * pause instead of the one. A pause is this long, in milliseconds, while fewer requests at a time may help; then, twice as
 * long each time.
 */
export const CONSEQUENCES: Readonly<Record<Meaning, { readonly usesRetry: boolean; readonly pause?: number }>> = {
	'dealt with': { usesRetry: true },
	own: { usesRetry: true },
	first: { usesRetry: false },
	'rate limit': { usesRetry: false, pause: 500 },
	busy: { usesRetry: false, pause: 250 },
	down: { usesRetry: true, pause: 250 },
};

/** Returns what a failure means for the service (RFC 6585, section 4). Times are in milliseconds since 1970. */
export function meaningOf(
	{ kind, passes, response: { status, retryAfter } = {} }: FailureData,
	{ hasAccepted, rejectsSince }: Pick<ServiceState, 'hasAccepted' | 'rejectsSince'>,
	now: number,
): Meaning {
	if (kind === 'request' && status !== undefined && passes === undefined) return 'dealt with';
	const asksToWait = status === 429 || retryAfter !== undefined;
	if (passes !== 'soon' || !(asksToWait || status === 503)) return 'own';
	if (hasAccepted && rejectsSince === undefined && !asksToWait) return 'first';
	if (status === 429) return 'rate limit';
	return hasAccepted && now - (rejectsSince ?? now) < DOWN_AFTER_MS ? 'busy' : 'down';
}

export interface History {
	readonly attempts: number;
	readonly retries: number;
	/** Until when another attempt may start, in milliseconds since 1970. */
	readonly deadline: number;
	/** Unknown if it is of any attempt. */
	readonly outcome: Outcome;
	/** How long the request waits on its own before the next one, in milliseconds; undefined if there is none. */
	readonly wait?: number;
	/** How long the service asks to wait, in milliseconds, if there is no time for that. */
	readonly tooLong?: number;
}

export const UNTRIED: History = { attempts: 0, retries: 0, deadline: Infinity, outcome: 'not applied' };

export interface Limits {
	readonly maxRetries: number;
	/** How long after the first failure a retry may start, in milliseconds; by default, 90 seconds. */
	readonly maxWait?: number;
	/** Whether it may be applied twice without harm. If not, it is sent again only if it was not applied. */
	readonly idempotent: boolean;
}

/**
 * Decides whether a request that has failed is attempted again.
 *
 * @param jitter from 0 to 0.5: requests that failed together should not be repeated together
 */
export function decide(
	{ outcome, passes, response: { status, retryAfter } = {} }: FailureData,
	meaning: Meaning,
	before: History,
	{ maxRetries, maxWait = LONGEST_TOTAL_MS, idempotent }: Limits,
	now: number,
	jitter: number,
): History {
	const { usesRetry, pause } = CONSEQUENCES[meaning];
	const attempts = before.attempts + 1;
	const retries = before.retries + (usesRetry || (status === 503 && attempts > MAX_FREE_ATTEMPTS) ? 1 : 0);
	// A rate limit may reject a request once more a minute later.
	const deadline = Math.min(before.deadline, now + (usesRetry ? maxWait : 2 * maxWait));
	const history = { attempts, retries, deadline, outcome: outcome === 'unknown' ? outcome : before.outcome };
	const wait = pause ? 0 : waitAfter(retryAfter, FIRST_WAIT_MS * 2 ** Math.max(0, retries - 1), jitter);
	// What the service asks for counts without the jitter.
	const least = retryAfter ?? wait;
	if (least > maxWait || now + least > deadline) return { ...history, tooLong: retryAfter };
	const isHarmless = idempotent || history.outcome === 'not applied';
	const mayRetry = passes === 'soon' && isHarmless && maxRetries > 0 && retries <= maxRetries;
	return mayRetry ? { ...history, wait } : history;
}

/** Returns how long to wait, in milliseconds: as the service asks, and up to a quarter of a second longer; or for `backoff`, and up to half shorter. */
export function waitAfter(retryAfter: number | undefined, backoff: number, jitter: number): number {
	if (retryAfter !== undefined) return retryAfter + FIRST_WAIT_MS * jitter;
	return Math.min(backoff, LONGEST_WAIT_MS) * (1 - jitter);
}
