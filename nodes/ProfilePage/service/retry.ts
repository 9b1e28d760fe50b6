import { type Failure, type NextAttempt, type Outcome, toFailure } from './failure';
import { LONGEST_TOTAL_MS, pause } from './waiting';
import { asksToWaitUntil, sentence } from './words';

/** The wait doubles for each further retry. */
export const FIRST_WAIT_MS = 500;
/** The longest wait without Retry-After. */
const LONGEST_WAIT_MS = 30_000;
/** After so many attempts, a 503 uses up Max Retries even while other requests succeed: it may be of this request alone. */
const MAX_FREE_ATTEMPTS = 8;

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

/** Without a gate, a request waits on its own. */
const ALONE: NextAttempt = { isHeldBack: false, isFree: false };

/**
 * Attempts something until it succeeds, or may not be attempted again.
 *
 * @param idempotent whether an attempt may be repeated without harm
 * @throws Failure with the outcome of all attempts, and their number
 */
export async function withRetries<T>(
	attempt: (isRetry: boolean) => Promise<T>,
	{ maxRetries, maxWait = LONGEST_TOTAL_MS, signal }: Omit<SendOptions, 'timeout'>,
	idempotent = true,
): Promise<T> {
	let outcome: Outcome = 'not applied';
	let [retries, deadline] = [0, Infinity];
	for (let attempts = 1; ; attempts += 1) {
		try {
			return await attempt(attempts > 1);
		} catch (error) {
			const failed = toFailure(error);
			const { data } = failed;
			if (data.outcome === 'unknown') outcome = data.outcome;
			const failure = failed.with({ outcome, ...(attempts > 1 && { attempts }) });
			const { isHeldBack, isFree } = data.nextAttempt ?? ALONE;
			const { status, retryAfter } = data.response ?? {};
			if (!isFree || (status === 503 && attempts > MAX_FREE_ATTEMPTS)) retries += 1;
			// From the first failure on. A rate limit may reject a request once more a minute later.
			deadline = Math.min(deadline, Date.now() + (isHeldBack && isFree ? 2 * maxWait : maxWait));
			const wait = isHeldBack ? 0 : waitAfter(retryAfter, FIRST_WAIT_MS * 2 ** Math.max(0, retries - 1));
			// What the service asks for counts without the jitter.
			const least = retryAfter ?? wait;
			if (least > maxWait || Date.now() + least > deadline) throw withTime(failure);
			const isHarmless = idempotent || outcome === 'not applied';
			const mayRetry = data.passes === 'soon' && isHarmless && maxRetries > 0 && retries <= maxRetries;
			if (!mayRetry || signal?.aborted) throw failure;
			if (!isHeldBack) await pause(wait, signal);
		}
	}
}

/** Returns how long to wait before the next attempt, in milliseconds: as the service asks, or for `backoff`, with jitter. */
export function waitAfter(retryAfter: number | undefined, backoff: number): number {
	// Requests that failed together should not be repeated together.
	const jitter = Math.random() / 2;
	if (retryAfter !== undefined) return retryAfter + FIRST_WAIT_MS * jitter;
	return Math.min(backoff, LONGEST_WAIT_MS) * (1 - jitter);
}

/** Returns the failure of a request that cannot wait as long as the service asks, with the time until when. */
function withTime(failure: Failure): Failure {
	const { retryAfter } = failure.data.response ?? {};
	if (retryAfter === undefined) return failure;
	const until = asksToWaitUntil(Date.now() + retryAfter);
	return failure.with({ advice: `${sentence(until)} Run the workflow again after that.` });
}
