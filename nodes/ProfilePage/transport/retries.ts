import { ServiceError } from '../shared/errors';
import { pause } from '../shared/waiting';

/** The wait doubles for each further retry. */
const FIRST_WAIT_MS = 500;
/** Also where the service asks for more. */
const LONGEST_WAIT_MS = 30_000;
/** Of all waits for one request. */
const LONGEST_TOTAL_MS = 90_000;

export interface RetryOptions {
	readonly maxRetries: number;
	/** Whether an attempt may be repeated without harm; true if left out. */
	readonly idempotent?: boolean;
	/** Cancels the execution, and ends waits. */
	readonly signal?: AbortSignal;
}

/**
 * Retries after transient failures, with exponential backoff and jitter.
 *
 * @param attempt is told whether an earlier attempt may have been applied
 * @throws what the last attempt threw; a ServiceError says how many attempts there were
 */
export async function withRetries<T>(
	attempt: (mayBeApplied: boolean) => Promise<T>,
	{ maxRetries, idempotent = true, signal }: RetryOptions,
): Promise<T> {
	let waited = 0;
	let mayBeApplied = false;
	for (let attempts = 1; ; attempts += 1) {
		try {
			return await attempt(mayBeApplied);
		} catch (error) {
			const wait = waitAfter(error, attempts, idempotent);
			const isLast =
				wait === undefined || attempts > maxRetries || waited + wait > LONGEST_TOTAL_MS;
			if (isLast || signal?.aborted) throw countAttempts(error, attempts);
			waited += wait;
			mayBeApplied ||= !isNotApplied(error);
			await pause(wait, signal);
		}
	}
}

/** Whether a request that failed with this error certainly had no effect. */
export function isNotApplied(error: unknown): boolean {
	return error instanceof ServiceError && error.details.isNotApplied === true;
}

/** Returns the milliseconds before the next attempt; undefined if that would fail as well, or do harm. */
function waitAfter(error: unknown, attempts: number, idempotent: boolean): number | undefined {
	if (!(error instanceof ServiceError) || !error.details.isTransient) return undefined;
	if (!idempotent && !isNotApplied(error)) return undefined;
	const { retryAfter } = error.details;
	// Requests that failed together should not be repeated together.
	const jitter = Math.random() / 2;
	const backoff = FIRST_WAIT_MS * 2 ** (attempts - 1) * (1 - jitter);
	const wait = retryAfter === undefined ? backoff : retryAfter + FIRST_WAIT_MS * jitter;
	return Math.min(wait, LONGEST_WAIT_MS);
}

function countAttempts(error: unknown, attempts: number): unknown {
	if (!(error instanceof ServiceError) || attempts === 1 || error.details.isShared) return error;
	const advice = `${error.advice} Attempts: ${attempts}.`.trim();
	return new ServiceError(error.message, advice, error.details);
}
