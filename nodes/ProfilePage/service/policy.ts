import type { FailureData, Outcome } from '../shared/failure';

/** How long a request waits before its first retry, in milliseconds. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** Nothing is waited for longer than that, in milliseconds. */
export const LONGEST_TOTAL_MS = 90_000;

/** What the attempts of all requests have shown of the service. */
export interface ServiceState {
	/** How many attempts ended for good: with a success, or a rejection such as 404. */
	readonly answers: number;
	/** How many attempts failed otherwise. */
	readonly failures: number;
	/** What has failed since the last answer; undefined if nothing has. */
	readonly failing?: {
		/** When the first attempt failed, in milliseconds since 1970. */
		readonly since: number;
		readonly attempts: number;
		readonly requests: number;
	};
}

export const UNKNOWN_SERVICE: ServiceState = { answers: 0, failures: 0 };

/** What the attempts of one request have come to. */
export interface History {
	readonly attempts: number;
	/** How many retries count towards Max Retries. */
	readonly retries: number;
	/** How many tokens the service rejected. */
	readonly tokens: number;
	/** How often others were answered between two of its failures: the sum of their shares. */
	readonly overtaken: number;
	/** The answers and failures of the service until its own last failure. */
	readonly seen: Pick<ServiceState, 'answers' | 'failures'>;
	/** Until when a retry that counts may start, in milliseconds since 1970. */
	readonly deadline: number;
	/** Unknown if it is of any attempt. */
	readonly outcome: Outcome;
}

export const UNTRIED: History = {
	attempts: 0,
	retries: 0,
	tokens: 0,
	overtaken: 0,
	seen: UNKNOWN_SERVICE,
	deadline: Infinity,
	outcome: 'not applied',
};

/**
 * What a failure means:
 *
 * - `final`: the service rejected the request for good, such as with a 404. So it is not overloaded.
 * - `unsent`: the service got nothing, as there is no token, or nothing more may be sent; or the execution was canceled.
 * - `token`: the service rejected the token. Another one may help.
 * - `own`: it is of this request, such as a broken connection or a 502, or what others have not met again and again.
 * - `lone`: it may be of this request: a 503 without others, or a rejection of a request after others were answered.
 * - `overloaded`: a 429, or a 503 or Retry-After of a service that answered just now.
 * - `down`: a 503 or Retry-After of a service that has answered nothing, or nothing for three seconds.
 */
export type Meaning = 'final' | 'unsent' | 'token' | 'own' | 'lone' | 'overloaded' | 'down';

export interface Consequence {
	/** Whether another attempt counts towards Max Retries. */
	readonly usesRetry: boolean;
	/** What it counts as for the service; undefined if it says nothing of it. */
	readonly countsAs?: 'answer' | 'failure';
	/**
	 * How long all requests pause, in milliseconds: `first` while more than one may be in flight, then twice as long each
	 * time. Without it, only the request itself waits.
	 */
	readonly pause?: { readonly first: number; readonly longest: number };
	/** Whether one request at a time may be in flight after the pause, instead of half as many. */
	readonly isOneAtATime?: boolean;
}

export const CONSEQUENCES: Readonly<Record<Meaning, Consequence>> = {
	final: { countsAs: 'answer', usesRetry: true },
	unsent: { usesRetry: true },
	token: { usesRetry: false },
	own: { countsAs: 'failure', usesRetry: true },
	lone: { countsAs: 'failure', usesRetry: false },
	overloaded: { countsAs: 'failure', usesRetry: false, pause: { first: 250, longest: 8000 } },
	down: { countsAs: 'failure', usesRetry: true, pause: { first: 250, longest: LONGEST_WAIT_MS }, isOneAtATime: true },
};

/** An overloaded service rejects at least two attempts in a row, and this share of those that are in flight. */
const OVERLOADED_SHARE = 0.1;
/** A service that has answered nothing for so long, in milliseconds, is down. Until then, it may have a rate limit. */
const DOWN_AFTER_MS = 3000;
/** How often a request may be overtaken. Then its failures are its own. */
const MAX_OVERTAKEN = 12;
const MAX_TOKENS = 2;

/**
 * Returns what a failure means (RFC 6585, section 4).
 *
 * @param inFlight how many requests are, this one included
 * @param now in milliseconds since 1970
 */
export function meaningOf(
	{ kind, passes, response: { status, retryAfter } = {} }: FailureData,
	before: History,
	service: ServiceState,
	inFlight: number,
	now: number,
): Meaning {
	if (passes === 'with another token') return 'token';
	if (kind !== 'request') return 'unsent';
	if (passes === undefined && status !== undefined) return 'final';
	const asksToWait = status === 429 || retryAfter !== undefined;
	const isRejection = passes === 'soon' && (asksToWait || status === 503);
	if (!isRejection || before.overtaken >= MAX_OVERTAKEN) return 'own';
	const { since = now, attempts: earlier = 0 } = service.failing ?? {};
	const isOvertaken = before.attempts > 0 && service.answers > before.seen.answers;
	const inARow = isOvertaken ? 2 : asksToWait ? 1 : Math.max(2, OVERLOADED_SHARE * inFlight);
	if (service.answers > 0 && earlier + 1 < inARow) return 'lone';
	const isSilent = service.answers === 0 || now - since >= DOWN_AFTER_MS;
	return isSilent && status !== 429 ? 'down' : 'overloaded';
}

/** Returns what is known of the service after an answer. */
export function withAnswer({ answers, failures }: ServiceState): ServiceState {
	return { answers: answers + 1, failures };
}

/** Returns what is known of the service after a failure. `before` is the history of the request. */
export function withFailure({ answers, failures, failing }: ServiceState, before: History, now: number): ServiceState {
	const { since, attempts, requests } = failing ?? { since: now, attempts: 0, requests: 0 };
	const isFirst = before.attempts === 0 || before.seen.answers < answers;
	return {
		answers,
		failures: failures + 1,
		failing: { since, attempts: attempts + 1, requests: requests + (isFirst ? 1 : 0) },
	};
}

/** How many requests fail before the service counts as down: fewer may be rejected for themselves, one after another. */
const DOWN_AFTER_REQUESTS = 5;

/** Whether a service has answered nothing for 90 seconds. */
export function isDown({ failing }: ServiceState, now: number): boolean {
	return failing !== undefined && failing.requests >= DOWN_AFTER_REQUESTS && now - failing.since > LONGEST_TOTAL_MS;
}

/** What may be repeated, and for how long. */
export interface Limits {
	readonly maxRetries: number;
	/** How long after the first failure a retry may start, in milliseconds; by default, 90 seconds. */
	readonly maxWait?: number;
	/** Whether it may be applied twice without harm. If not, it is sent again only if it was not applied. */
	readonly idempotent: boolean;
}

/** What a failure means, and what was known of the service before it. */
export interface Judgement {
	readonly meaning: Meaning;
	readonly service: ServiceState;
}

/** Returns the history of a request after another failure. */
export function addFailure(
	before: History,
	{ outcome }: FailureData,
	{ meaning, service: { answers, failures } }: Judgement,
	{ maxWait = LONGEST_TOTAL_MS }: Limits,
	now: number,
): History {
	const { usesRetry, countsAs } = CONSEQUENCES[meaning];
	const overtaken = before.overtaken + overtakenSince(before, answers, failures);
	return {
		// Another token is part of the same attempt.
		attempts: before.attempts + (meaning === 'token' ? 0 : 1),
		retries: before.retries + (usesRetry || overtaken > MAX_OVERTAKEN ? 1 : 0),
		tokens: before.tokens + (meaning === 'token' ? 1 : 0),
		overtaken,
		seen: { answers, failures: failures + (countsAs === 'failure' ? 1 : 0) },
		deadline: usesRetry ? Math.min(before.deadline, now + maxWait) : before.deadline,
		outcome: outcome === 'unknown' ? outcome : before.outcome,
	};
}

/** Returns the share of answers in what the service did for others since the last failure of a request. */
function overtakenSince({ attempts, overtaken, seen }: History, answers: number, failures: number): number {
	const answersSince = answers - seen.answers;
	const attemptsSince = answersSince + failures - seen.failures;
	if (attempts > 0 && attemptsSince > 0) return answersSince / attemptsSince;
	// One that others have overtaken fails for itself, also while it is the only one left.
	return overtaken < 1 ? 0 : 1;
}

/** Either another attempt, after so many milliseconds; or none, such as because the service asks to wait for too long. */
export type Decision = { readonly wait: number } | { readonly wait?: undefined; readonly tooLong?: number };

/**
 * Decides whether a request is attempted again.
 *
 * @param history with the failure that the decision is on
 * @param jitter from 0 to 0.5: requests that failed together should not be repeated together
 */
export function decide(
	{ passes, response: { retryAfter } = {} }: FailureData,
	{ meaning, service: { failing } }: Judgement,
	{ retries, tokens, overtaken, deadline, outcome }: History,
	{ maxRetries, maxWait = LONGEST_TOTAL_MS, idempotent }: Limits,
	now: number,
	jitter: number,
): Decision {
	if (meaning === 'token') return tokens > MAX_TOKENS ? {} : { wait: 0 };
	const { usesRetry, pause } = CONSEQUENCES[meaning];
	const backoff = usesRetry ? FIRST_WAIT_MS * 2 ** (retries - 1) : FIRST_WAIT_MS * 4 ** overtaken;
	// A service may ask a request to wait for a second, and reject it each time.
	const asked = retryAfter && !usesRetry ? Math.max(retryAfter, Math.min(backoff, LONGEST_WAIT_MS)) : retryAfter;
	const wait = pause ? 0 : waitAfter(asked, backoff, jitter);
	// What the service asks for counts without the jitter.
	const least = retryAfter ?? wait;
	// A rate limit may reject a request once more a minute later.
	const end = usesRetry ? deadline : (failing?.since ?? now) + 2 * maxWait;
	if (least > maxWait || now + least > end) return { tooLong: retryAfter };
	const isHarmless = idempotent || outcome === 'not applied';
	const mayRetry = passes === 'soon' && isHarmless && maxRetries > 0 && retries <= maxRetries;
	return mayRetry ? { wait } : {};
}

/** Returns how long to wait, in milliseconds: as the service asks, and up to a quarter of a second longer; or for `backoff`, and up to half shorter. */
export function waitAfter(retryAfter: number | undefined, backoff: number, jitter: number): number {
	if (retryAfter !== undefined) return retryAfter + FIRST_WAIT_MS * jitter;
	return Math.min(backoff, LONGEST_WAIT_MS) * (1 - jitter);
}
