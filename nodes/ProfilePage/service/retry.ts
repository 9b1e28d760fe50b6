import type { Scheduler } from './scheduler';
import { LONGEST_TOTAL_MS } from './throttle';
import { type Ended, type Failure, worst } from './types';
import { pause } from './waiting';

/** The wait doubles for each further retry. */
const FIRST_WAIT_MS = 500;
/** Unless the service asks for more. */
const LONGEST_WAIT_MS = 30_000;

export interface RetryOptions {
	readonly maxRetries: number;
	/** For all waits, in milliseconds. */
	readonly maxWait?: number;
	/** Slows down all requests of an account when the service is overloaded. */
	readonly scheduler?: Scheduler;
	/** Aborts when the execution is canceled, and ends waits. */
	readonly signal?: AbortSignal;
}

/**
 * Attempts something until it succeeds, or the policy ends it. The failure has the outcome of all attempts, and their
 * number unless it has one already.
 */
export async function persist<T>(
	attempt: (isRetry: boolean) => Promise<Ended<T>>,
	policy: RetryPolicy,
): Promise<Ended<T>> {
	let outcome: Failure['outcome'] = 'not sent';
	for (let attempts = 1; ; attempts += 1) {
		const ended = await attempt(attempts > 1);
		if (ended.outcome === 'done') return ended;
		outcome = worst(outcome, ended.outcome);
		const failure = { attempts, ...ended, outcome };
		const next = policy.after(failure, attempts);
		if (next === 'end') return failure;
		if (next === 'too late') return { ...failure, waitUntil: Date.now() + (failure.retryAfter ?? 0) };
		await next;
	}
}

/** Decides whether and when something is attempted again: with exponential backoff and jitter. One for each request. */
export class RetryPolicy {
	readonly #options: RetryOptions;
	readonly #idempotent: boolean;
	/** How many retries count towards the maximum. */
	#retries = 0;
	#waited = 0;
	/** When the first attempt failed, in milliseconds since 1970. */
	#failedAt = 0;
	/** When the last attempt failed, or the first one began. */
	#lastFailedAt = Date.now();

	/** @param idempotent whether an attempt may be repeated without harm */
	constructor(options: RetryOptions, idempotent = true) {
		this.#options = options;
		this.#idempotent = idempotent;
	}

	/** Returns the wait before the next attempt, which a cancellation ends, or why there is none. */
	after(failure: Failure, attempts: number): Promise<void> | 'end' | 'too late' {
		const { scheduler, signal, maxWait = LONGEST_TOTAL_MS } = this.#options;
		const { retryAfter } = failure;
		// A service that says so, or goes on to accept other requests, is not down: it may be asked until the time is up.
		const isAccepting = isOverload(failure) && scheduler?.hasSucceededSince(this.#lastFailedAt) === true;
		const isLimit = isAccepting || failure.status === 429;
		// All requests wait, so that a long wait for one that others overtake would cost them all.
		const wait = waitBefore(isAccepting ? Math.min(attempts, 2) : attempts, retryAfter);
		this.#lastFailedAt = Date.now();
		this.#failedAt ||= this.#lastFailedAt;
		// A request may also have waited for others.
		this.#waited = Math.max(this.#waited, Date.now() - this.#failedAt);
		if (isOverload(failure)) scheduler?.slowDown(wait);
		const isTooLate = this.#waited + wait > maxWait;
		if (!this.#mayRetry(failure, isLimit) || isTooLate || signal?.aborted) {
			return isTooLate && retryAfter !== undefined ? 'too late' : 'end';
		}
		this.#waited += wait;
		// Otherwise, the next attempt waits for the scheduler alone.
		return scheduler && isOverload(failure) ? Promise.resolve() : pause(wait, signal);
	}

	#mayRetry(failure: Failure, isLimit: boolean): boolean {
		const { maxRetries, scheduler } = this.#options;
		const isHarmless = this.#idempotent || failure.outcome !== 'unknown';
		if (failure.passes !== 'soon' || !isHarmless) return false;
		const isCounted = !(scheduler && maxRetries > 0 && isLimit);
		if (isCounted) this.#retries += 1;
		return this.#retries <= maxRetries;
	}
}

/** Whether all requests should slow down: a rate limit, or a service that is busy or asks to wait (RFC 6585, section 4). */
function isOverload({ passes, status, retryAfter }: Failure): boolean {
	return passes === 'soon' && (status === 429 || status === 503 || retryAfter !== undefined);
}

/** Requests that failed together should not be repeated together. */
function waitBefore(attempts: number, retryAfter: number | undefined): number {
	const jitter = Math.random() / 2;
	const backoff = Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), LONGEST_WAIT_MS);
	return retryAfter === undefined ? backoff * (1 - jitter) : retryAfter + FIRST_WAIT_MS * jitter;
}
