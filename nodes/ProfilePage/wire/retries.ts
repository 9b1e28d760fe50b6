import { ServiceError } from '../explainedErrors';
import { pause } from '../waiting';

/** The wait before the first retry, in milliseconds; it doubles from one to the next. */
const FIRST_WAIT = 500;

/** A wait is never longer, also where the service asks for more, in milliseconds. */
const LONGEST_WAIT = 30_000;

/** All waits for one request together, in milliseconds. */
const LONGEST_TOTAL = 90_000;

export interface RetryOptions {
	/** How often to try again. */
	readonly maxRetries: number;
	/** Whether it would do harm if what was tried were done twice. */
	readonly isOnceOnly?: boolean;
	/** Called before each wait. */
	readonly onWait?: () => void;
	/** Ends a wait when the execution is stopped. */
	readonly signal?: AbortSignal;
}

/**
 * Tries again after a failure that may pass, each time after a longer wait.
 *
 * @param attempt sends a request
 * @throws what the last attempt threw; a ServiceError says how many there were
 */
export async function withRetries<T>(
	attempt: () => Promise<T>,
	{ maxRetries, isOnceOnly, onWait, signal }: RetryOptions,
): Promise<T> {
	let waited = 0;
	for (let tries = 1; ; tries += 1) {
		const outcome = await settle(attempt);
		if ('value' in outcome) return outcome.value;

		const wait = waitAfter(outcome.failure, tries, isOnceOnly);
		const isLast = wait === undefined || tries > maxRetries || waited + wait > LONGEST_TOTAL;
		if (isLast || signal?.aborted) throw countTries(outcome.failure, tries);
		waited += wait;
		onWait?.();
		// If the execution is stopped meanwhile, the next attempt finds it.
		await pause(wait, signal);
	}
}

async function settle<T>(attempt: () => Promise<T>): Promise<{ value: T } | { failure: unknown }> {
	try {
		return { value: await attempt() };
	} catch (failure) {
		return { failure };
	}
}

/**
 * @param tries how many attempts there were
 * @returns how long to wait before the next, in milliseconds; undefined if another would fail as well,
 *   or do harm
 */
function waitAfter(failure: unknown, tries: number, isOnceOnly = false): number | undefined {
	if (!(failure instanceof ServiceError) || !failure.details.isPassing) return undefined;
	const { isNotDone, retryAfter } = failure.details;
	if (isOnceOnly && !isNotDone) return undefined;
	// Requests that failed together must not all come back together.
	const jitter = Math.random() / 2;
	const wait =
		retryAfter === undefined
			? FIRST_WAIT * 2 ** (tries - 1) * (1 - jitter)
			: retryAfter + FIRST_WAIT * jitter;
	return Math.min(wait, LONGEST_WAIT);
}

function countTries(failure: unknown, tries: number): unknown {
	return failure instanceof ServiceError && tries > 1
		? new ServiceError(`${failure.message} It was tried ${tries} times.`, failure.details)
		: failure;
}
