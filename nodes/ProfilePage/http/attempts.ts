import { ExecutionCanceled, type History, historyOf, ServiceError, worseOf } from '../shared/errors';
import { pause } from '../shared/waiting';
import { formatTime, LONGEST_TOTAL_MS, type Pacer } from './pacer';

/** The wait doubles for each further retry. */
const FIRST_WAIT_MS = 500;
/** Unless the service asks for more. */
const LONGEST_WAIT_MS = 30_000;

export interface RetryOptions {
	readonly maxRetries: number;
	/** For all waits, in milliseconds. */
	readonly maxWait?: number;
	/** Whether an attempt may be repeated without harm; true if left out. */
	readonly idempotent?: boolean;
	/** What had become of the request before, in an earlier try of the node. */
	readonly history?: History;
	readonly pacer?: Pacer;
	/** Puts the final error into the words of the request. */
	readonly inWords?: (error: ServiceError) => ServiceError;
	/** Aborts when the execution is canceled, and ends waits. */
	readonly signal?: AbortSignal;
}

/**
 * The attempts of one request: what has become of them, and when the next one may start. Transient failures are retried
 * with exponential backoff and jitter.
 */
export class Attempts {
	/** How many have failed. */
	count = 0;
	/** What has become of all of them. */
	history: History;
	readonly #options: RetryOptions;
	/** How many retries count towards the maximum. */
	#retries = 0;
	#waited = 0;
	/** When the first attempt failed, in milliseconds since 1970. */
	#failedAt = 0;

	constructor(options: RetryOptions) {
		this.#options = options;
		this.history = options.history ?? 'not sent';
	}

	/**
	 * Notes why an attempt failed. Returns the final error, with the history of all attempts; or, if there is another
	 * attempt, the wait before it, which a cancellation ends. The pacer then refuses that attempt.
	 */
	fail(error: unknown): { final?: unknown; wait?: Promise<void> } {
		const { pacer, signal } = this.#options;
		this.count += 1;
		this.#failedAt ||= Date.now();
		this.history = worseOf(this.history, historyOf(error));
		if (error instanceof ExecutionCanceled) {
			return { final: new ExecutionCanceled(this.history, error.isInFlight) };
		}
		if (!(error instanceof ServiceError)) return { final: error };
		const { status, retryAfter, isTransient = false } = error.details;
		// Requests that failed together should not be repeated together.
		const jitter = Math.random() / 2;
		const backoff = Math.min(FIRST_WAIT_MS * 2 ** (this.count - 1), LONGEST_WAIT_MS);
		const wait = retryAfter === undefined ? backoff * (1 - jitter) : retryAfter + FIRST_WAIT_MS * jitter;
		// A request may also have waited for others.
		this.#waited = Math.max(this.#waited, Date.now() - this.#failedAt);
		const isPaced = isTransient && (status === 429 || retryAfter !== undefined);
		if (isPaced) pacer?.slowDown(wait);
		const mayWait = this.#waited + wait <= (this.#options.maxWait ?? LONGEST_TOTAL_MS);
		const isOver = !this.#mayRetry(error, isPaced) || !mayWait || signal?.aborted;
		if (isOver) return { final: this.#conclude(error, mayWait) };
		this.#waited += wait;
		// Otherwise, the next attempt waits for the pacer alone.
		return pacer && isPaced ? {} : { wait: pause(wait, signal) };
	}

	#mayRetry(error: ServiceError, isPaced: boolean): boolean {
		const { maxRetries, idempotent = true, pacer } = this.#options;
		const isCertain = historyOf(error) !== 'may be applied';
		if (!error.details.isTransient || !(idempotent || isCertain)) return false;
		// A busy service that certainly did nothing may be asked until the time is up.
		const isUncounted = isPaced && isCertain && pacer !== undefined && maxRetries > 0;
		if (!isUncounted) this.#retries += 1;
		return this.#retries <= maxRetries;
	}

	#conclude(error: ServiceError, mayWait: boolean): ServiceError {
		const { retryAfter, isCounted } = error.details;
		const known = error.with({ history: this.history });
		const worded = this.#options.inWords?.(known) ?? known;
		if (isCounted) return worded;
		const until = `The service asks to wait until ${formatTime(Date.now() + (retryAfter ?? 0))}.`;
		const isTooLong = retryAfter !== undefined && !mayWait;
		const count = this.count > 1 && `Attempts: ${this.count}.`;
		const advice = [worded.advice, isTooLong && until, count].filter(Boolean).join(' ');
		return new ServiceError(worded.message, advice, worded.details);
	}
}
