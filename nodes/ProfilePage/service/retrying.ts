import { Failure, isChange, mayBeRepeated } from '../shared/failure';
import { type Gate, isBusy, LONGEST_WAIT_MS } from './gate';
import type { ServiceRequest } from './request';
import { jittered, pause } from './waiting';

/** How often a busy service may reject a request without using up Max Retries. */
const MAX_REJECTIONS = 30;

/** How long a request waits before its first retry, in milliseconds; then twice as long each time. */
const FIRST_WAIT_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;

export interface RetryOptions {
	/** Says when each attempt starts, and lets all requests wait while the service is busy. Without it, each waits for itself. */
	readonly gate?: Gate;
	readonly maxRetries: number;
	/** How long after the first failure that uses up Max Retries a retry may start, in milliseconds; by default, 90 seconds. */
	readonly maxWait?: number;
	/** Aborts when nothing more may be sent, and ends waits. */
	readonly stopSignal?: AbortSignal;
}

/**
 * Attempts something until it succeeds, as far as it may be repeated. No other loop repeats what failed. For example, a
 * request that is rejected with 429 five times, times out, and succeeds has used up one of Max Retries.
 *
 * @param request what is attempted; without it, it may be repeated
 * @throws Failure of all attempts; any other error as it is
 */
export async function retrying<T>(
	attempt: () => Promise<T>,
	{ gate, maxRetries, maxWait = LONGEST_WAIT_MS, stopSignal }: RetryOptions,
	request?: ServiceRequest,
): Promise<T> {
	let failed: Failure | undefined;
	let rejections = 0;
	let retries = 0;
	let deadline: number | undefined;
	for (;;) {
		try {
			return await (gate ? gate.enter(attempt) : attempt());
		} catch (error) {
			if (!(error instanceof Failure)) throw error as Error;
			failed = together(failed, error, request);
			if (!error.data.isTransient || !mayBeAttemptedAgain(failed, request)) throw failed;
			if (gate && isBusy(error.data)) {
				// It only waits for its turn: the gate lets all requests pause.
				rejections += 1;
				if (rejections > MAX_REJECTIONS || maxRetries === 0) throw failed;
			} else {
				retries += 1;
				const wait =
					error.data.response?.retryAfter ?? jittered(Math.min(FIRST_WAIT_MS * 2 ** (retries - 1), LONGEST_BACKOFF_MS));
				deadline ??= Date.now() + maxWait;
				if (retries > maxRetries || Date.now() + wait > deadline) throw failed;
				await pause(wait, stopSignal);
			}
			if (stopSignal?.aborted) throw failed;
		}
	}
}

/** Returns the failures of several attempts as one: as the last that was sent, and unknown if one of them is. */
function together(earlier: Failure | undefined, last: Failure, request?: ServiceRequest): Failure {
	const { attempts = 1 } = last.data;
	const isUnknown = [earlier, last].some((each) => each?.data.outcome === 'unknown');
	// What only reads has changed nothing.
	const outcome = isUnknown && (!request || isChange(request)) ? 'unknown' : 'not applied';
	const shown = earlier && attempts === 0 ? earlier : last;
	const allAttempts = attempts + (earlier?.data.attempts ?? 0);
	return shown.with({ outcome, attempts: allAttempts, ...(request && { request }) });
}

/** Whether another attempt does no harm, and may help. Without a token, it does not: the renewal was repeated already. */
function mayBeAttemptedAgain({ data: { kind, outcome } }: Failure, request?: ServiceRequest): boolean {
	return !request || (kind !== 'token' && mayBeRepeated(outcome, request));
}
