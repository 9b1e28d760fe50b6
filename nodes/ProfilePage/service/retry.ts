import type { Ended, Failure } from './failure';
import type { Scheduler } from './scheduler';
import { LONGEST_TOTAL_MS, pause } from './waiting';

/** The wait doubles for each further retry. */
const FIRST_WAIT_MS = 500;
/** The longest wait without Retry-After. */
const LONGEST_WAIT_MS = 30_000;

/** How long before an attempt another request may have succeeded, so that the service is not down. */
const RECENT_MS = 3000;

/** How requests are sent, and sent again. Times are in milliseconds. */
export interface SendOptions {
	/** How long the service may take for a whole response. */
	readonly timeout: number;
	readonly maxRetries: number;
	/** How long after the first failure a retry may start. */
	readonly maxWait?: number;
	/** Aborts when nothing more may be sent, and ends waits. */
	readonly signal?: AbortSignal;
	/** Aborts when the execution is canceled, and aborts requests in flight. */
	readonly cancelSignal?: AbortSignal;
}

/**
 * Attempts something until it succeeds, or may not be attempted again. The failure has the outcome of all attempts, and
 * their number.
 *
 * @param idempotent whether an attempt may be repeated without harm
 * @param scheduler of the requests of the account, which all slow down if the service is overloaded
 */
export async function withRetries<T>(
	attempt: (isRetry: boolean) => Promise<Ended<T>>,
	options: Omit<SendOptions, 'timeout'>,
	idempotent = true,
	scheduler?: Scheduler,
): Promise<Ended<T>> {
	const { maxWait = LONGEST_TOTAL_MS, signal } = options;
	const backoff = new Backoff(scheduler);
	let outcome: Failure['outcome'] = 'not applied';
	let deadline = Infinity;
	for (let attempts = 1; ; attempts += 1) {
		const startedAt = Date.now();
		const ended = await attempt(attempts > 1);
		if (ended.outcome === 'done') return ended;
		if (ended.outcome === 'unknown') outcome = 'unknown';
		const failure = { attempts, ...ended, outcome };
		const { wait, allWait } = backoff.after(failure, startedAt);
		// From the first failure on. The attempts may take long, too, as they wait for other requests.
		deadline = Math.min(deadline, Date.now() + maxWait);
		if (Date.now() + wait > deadline) return withWaitUntil(failure);
		if (!mayRetry(failure, backoff.retries, options, idempotent)) return failure;
		// If all requests wait, the scheduler starts the next attempt after that.
		if (!allWait) await pause(wait, signal);
	}
}

/** The waits of a request that fails again and again, and how many of its retries count. */
class Backoff {
	/** How many retries count towards Max Retries. */
	retries = 0;
	readonly #scheduler?: Scheduler;
	#doublings = 0;

	constructor(scheduler?: Scheduler) {
		this.#scheduler = scheduler;
	}

	/**
	 * Returns how long to wait after an attempt that failed, in milliseconds, and whether all requests of the account wait:
	 * they do if the service is overloaded, whether or not this request is repeated.
	 *
	 * @param startedAt when the attempt started, in milliseconds since 1970
	 */
	after(failure: Failure, startedAt: number): { wait: number; allWait: boolean } {
		const slowed = isOverload(failure) ? this.#scheduler : undefined;
		const isAccepting = slowed?.hasSucceededSince(startedAt - RECENT_MS) === true;
		// A rate limit does not use up the retries. Without status 429, it is one if the service accepts other requests: then
		// it is not down.
		const isRateLimit = isAccepting || (slowed !== undefined && failure.status === 429);
		if (!isRateLimit) this.retries += 1;
		const mostDoublings = isAccepting ? 1 : Infinity;
		const doublings = Math.min(this.#doublings, mostDoublings);
		this.#doublings = Math.min(doublings + 1, mostDoublings);
		const wait = waitAfter(failure, doublings, isAccepting);
		slowed?.slowDown(wait);
		return { wait, allWait: slowed !== undefined };
	}
}

function mayRetry(
	{ passes, outcome }: Failure,
	retries: number,
	{ maxRetries, signal }: Pick<SendOptions, 'maxRetries' | 'signal'>,
	idempotent: boolean,
): boolean {
	const isHarmless = idempotent || outcome === 'not applied';
	return passes === 'soon' && isHarmless && maxRetries > 0 && retries <= maxRetries && !signal?.aborted;
}

/** Whether all requests should slow down: a rate limit, or a service that is busy or asks to wait (RFC 6585, section 4). */
function isOverload({ passes, status, retryAfter }: Failure): boolean {
	return passes === 'soon' && (status === 429 || status === 503 || retryAfter !== undefined);
}

/**
 * Returns how long to wait before the next attempt, in milliseconds: exponential backoff with jitter, unless the service
 * says how long.
 *
 * @param isAccepting whether other requests succeed
 */
function waitAfter({ status, retryAfter }: Failure, doublings: number, isAccepting: boolean): number {
	// Requests that failed together should not be repeated together.
	const jitter = Math.random() / 2;
	if (retryAfter !== undefined) return retryAfter + FIRST_WAIT_MS * jitter;
	// Other than status 429, a status 503 may be the failure of this request alone.
	const firstWait = isAccepting && status !== 429 ? FIRST_WAIT_MS / 2 : FIRST_WAIT_MS;
	return Math.min(firstWait * 2 ** doublings, LONGEST_WAIT_MS) * (1 - jitter);
}

/** Returns the failure of a request that cannot wait as long as the service asks. */
function withWaitUntil(failure: Failure): Failure {
	const { retryAfter } = failure;
	return retryAfter === undefined ? failure : { ...failure, waitUntil: Date.now() + retryAfter };
}
