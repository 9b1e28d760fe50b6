import { ServiceError } from '../errors';
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
	/** Whether what is tried may be done twice without harm; true if left out. */
	readonly isIdempotent?: boolean;
	/** Ends a wait when the execution is stopped. */
	readonly signal?: AbortSignal;
}

/**
 * Tries again after a transient failure, each time after a longer wait.
 *
 * @param attempt sends a request; it is told whether an earlier attempt may have been applied
 * @throws what the last attempt threw; a ServiceError says how many there were
 */
export async function withRetries<T>(
	attempt: (mayBeApplied: boolean) => Promise<T>,
	{ maxRetries, isIdempotent = true, signal }: RetryOptions,
): Promise<T> {
	let waited = 0;
	let mayBeApplied = false;
	for (let tries = 1; ; tries += 1) {
		const outcome: Outcome<T> = await settle(attempt, mayBeApplied);
		if ('value' in outcome) return outcome.value;

		const wait = waitAfter(outcome.failure, tries, isIdempotent);
		const isLast = wait === undefined || tries > maxRetries || waited + wait > LONGEST_TOTAL;
		if (isLast || signal?.aborted) throw countTries(outcome.failure, tries);
		waited += wait;
		if (!isNotApplied(outcome.failure)) mayBeApplied = true;
		// If the execution is stopped meanwhile, the next attempt finds it.
		await pause(wait, signal);
	}
}

type Outcome<T> = { value: T } | { failure: unknown };

async function settle<T>(
	attempt: (mayBeApplied: boolean) => Promise<T>,
	mayBeApplied: boolean,
): Promise<Outcome<T>> {
	try {
		return { value: await attempt(mayBeApplied) };
	} catch (failure) {
		return { failure };
	}
}

/**
 * @param tries how many attempts there were
 * @returns how long to wait before the next, in milliseconds; undefined if another would fail as well,
 *   or do harm
 */
function waitAfter(failure: unknown, tries: number, isIdempotent: boolean): number | undefined {
	if (!(failure instanceof ServiceError) || !failure.details.isTransient) return undefined;
	const { isNotApplied, retryAfter } = failure.details;
	if (!isIdempotent && !isNotApplied) return undefined;
	// Requests that failed together must not all come back together.
	const jitter = Math.random() / 2;
	const wait =
		retryAfter === undefined
			? FIRST_WAIT * 2 ** (tries - 1) * (1 - jitter)
			: retryAfter + FIRST_WAIT * jitter;
	return Math.min(wait, LONGEST_WAIT);
}

function isNotApplied(failure: unknown): boolean {
	return failure instanceof ServiceError && failure.details.isNotApplied === true;
}

function countTries(failure: unknown, tries: number): unknown {
	return failure instanceof ServiceError && tries > 1 && !failure.details.isShared
		? new ServiceError(`${failure.message} Attempts: ${tries}.`, failure.details)
		: failure;
}
