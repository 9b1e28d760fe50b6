import { changedNothing, type Ended, type Failure, worst } from './failure';
import type { Scheduler } from './scheduler';
import { LONGEST_TOTAL_MS, pause } from './waiting';

/** The wait doubles for each further retry. */
const FIRST_WAIT_MS = 500;
/** Unless the service asks for more. */
const LONGEST_WAIT_MS = 30_000;

export interface RetryOptions {
	readonly maxRetries: number;
	/** From the first failure to the last retry, in milliseconds. */
	readonly maxWait?: number;
	/** Aborts when nothing more may be sent, and ends waits. */
	readonly signal?: AbortSignal;
}

interface PersistOptions extends RetryOptions {
	/** Whether an attempt may be repeated without harm, which is so by default. */
	readonly idempotent?: boolean;
	/** Slows down all requests of the account when the service is overloaded. */
	readonly scheduler?: Scheduler;
}

/**
 * Attempts something until it succeeds, or may not be attempted again. The failure has the outcome of all attempts, and
 * their number unless it has one already.
 */
export async function persist<T>(
	attempt: (isRetry: boolean) => Promise<Ended<T>>,
	options: PersistOptions,
): Promise<Ended<T>> {
	const { maxWait = LONGEST_TOTAL_MS, scheduler, signal } = options;
	let outcome: Failure['outcome'] = 'not sent';
	let [retries, waited] = [0, 0];
	let failedAt: number | undefined;
	for (let attempts = 1; ; attempts += 1) {
		const startedAt = Date.now();
		const ended = await attempt(attempts > 1);
		if (ended.outcome === 'done') return ended;
		outcome = worst(outcome, ended.outcome);
		const failure = { attempts, ...ended, outcome };
		const { wait, isShared, cost } = backOff(failure, attempts, startedAt, scheduler);
		retries += cost;
		failedAt ??= Date.now();
		// The next attempt may also have to wait for other requests.
		waited = wait + Math.max(waited, Date.now() - failedAt);
		if (waited > maxWait) return withWaitUntil(failure);
		if (!mayRetry(failure, retries, options)) return failure;
		// A wait of all requests is that of the scheduler.
		if (!isShared) await pause(wait, signal);
	}
}

function mayRetry(
	{ passes, outcome }: Failure,
	retries: number,
	{ maxRetries, signal, idempotent = true }: PersistOptions,
): boolean {
	const isHarmless = idempotent || changedNothing(outcome);
	return passes === 'soon' && isHarmless && maxRetries > 0 && retries <= maxRetries && !signal?.aborted;
}

/** Returns the failure of a request that cannot wait as long as the service asks. */
function withWaitUntil(failure: Failure): Failure {
	const { retryAfter } = failure;
	return retryAfter === undefined ? failure : { ...failure, waitUntil: Date.now() + retryAfter };
}

/** The wait before a retry. */
interface Backoff {
	/** In milliseconds. */
	readonly wait: number;
	/** Whether all requests of the account wait. */
	readonly isShared: boolean;
	/** How much the retry counts towards the maximum. */
	readonly cost: 0 | 1;
}

/**
 * Returns how long to wait, with exponential backoff and jitter. If the service is overloaded, all requests of the
 * account wait from now on.
 *
 * @param startedAt when the attempt began that failed, in milliseconds since 1970
 */
function backOff(failure: Failure, attempts: number, startedAt: number, scheduler?: Scheduler): Backoff {
	const { status, retryAfter } = failure;
	const isShared = scheduler !== undefined && isOverload(failure);
	// A service that goes on to accept others is not down. It limits their rate, as status 429 says.
	const isAccepting = isShared && scheduler.hasSucceededSince(startedAt);
	const cost = isAccepting || (isShared && status === 429) ? 0 : 1;
	// The wait is one of all requests, so it stays short as long as others succeed.
	const doublings = isAccepting ? Math.min(attempts - 1, 1) : attempts - 1;
	// Unlike status 429, another one may be the failure of this request alone.
	const firstWait = isAccepting && status !== 429 ? FIRST_WAIT_MS / 2 : FIRST_WAIT_MS;
	const backoff = Math.min(firstWait * 2 ** doublings, LONGEST_WAIT_MS);
	// Requests that failed together should not be repeated together.
	const jitter = Math.random() / 2;
	const wait = retryAfter === undefined ? backoff * (1 - jitter) : retryAfter + FIRST_WAIT_MS * jitter;
	if (isShared) scheduler.slowDown(wait);
	return { wait, isShared, cost };
}

/** Whether all requests should slow down: a rate limit, or a service that is busy or asks to wait (RFC 6585, section 4). */
function isOverload({ passes, status, retryAfter }: Failure): boolean {
	return passes === 'soon' && (status === 429 || status === 503 || retryAfter !== undefined);
}
