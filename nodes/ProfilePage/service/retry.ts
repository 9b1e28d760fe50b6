import { type Failure, type Outcome, toFailure } from './failure';
import { LONGEST_TOTAL_MS, pause } from './waiting';
import { asksToWaitUntil, sentence } from './words';

/** The wait doubles for each further retry. */
export const FIRST_WAIT_MS = 500;
/** The longest wait without Retry-After. */
const LONGEST_WAIT_MS = 30_000;

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

/** What a failure means for the next attempt of its request. */
export interface Judgement {
	/** Whether the gate says when the next attempt starts. Otherwise, the request waits on its own. */
	readonly allWait: boolean;
	/** Whether the next attempt does not use up Max Retries. */
	readonly isFree: boolean;
}

/** Without a gate, a request waits on its own. */
const ALONE: Judgement = { allWait: false, isFree: false };

/**
 * Attempts something until it succeeds, or may not be attempted again.
 *
 * @param idempotent whether an attempt may be repeated without harm
 * @param judge says what a failure means for the next attempt
 * @throws Failure with the outcome of all attempts, and their number
 */
export async function withRetries<T>(
	attempt: (isRetry: boolean) => Promise<T>,
	{ maxRetries, maxWait = LONGEST_TOTAL_MS, signal }: Omit<SendOptions, 'timeout'>,
	idempotent = true,
	judge: (failure: Failure) => Judgement = () => ALONE,
): Promise<T> {
	let outcome: Outcome = 'not applied';
	let deadline = Infinity;
	let retries = 0;
	for (let attempts = 1; ; attempts += 1) {
		try {
			return await attempt(attempts > 1);
		} catch (error) {
			const failed = toFailure(error);
			if (failed.data.outcome === 'unknown') outcome = 'unknown';
			const failure = failed.with({ outcome, ...(attempts > 1 && { attempts }) });
			const { allWait, isFree } = judge(failure);
			if (!isFree) retries += 1;
			const { passes, response: { retryAfter } = {} } = failure.data;
			const wait = waitAfter(retryAfter, allWait ? 0 : FIRST_WAIT_MS * 2 ** Math.max(0, retries - 1));
			// From the first failure on. The attempts may take long, too, as they wait for other requests.
			deadline = Math.min(deadline, Date.now() + maxWait);
			if (Date.now() + wait > deadline) throw withTime(failure, retryAfter);
			const isHarmless = idempotent || outcome === 'not applied';
			const mayRetry = passes === 'soon' && isHarmless && maxRetries > 0 && retries <= maxRetries;
			if (!mayRetry || signal?.aborted) throw failure;
			// If all wait, the next attempt starts when they may.
			if (!allWait) await pause(wait, signal);
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

/** Returns the failure of a request that cannot wait as long as the service asks. */
function withTime(failure: Failure, retryAfter: number | undefined): Failure {
	if (retryAfter === undefined) return failure;
	return failure.with({
		advice: `${sentence(asksToWaitUntil(Date.now() + retryAfter))} Run the workflow again after that.`,
	});
}
