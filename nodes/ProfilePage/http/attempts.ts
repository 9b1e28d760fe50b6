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
	/** What paces all requests for the account. */
	readonly pacer?: Pacer;
	/** Puts the final error into the words of the request. */
	readonly inWords?: (error: ServiceError) => ServiceError;
	/** Cancels the execution, and ends waits. */
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
	 * Notes why an attempt failed, and waits until the next one may start. If there is none, returns the error, with the
	 * history of all attempts.
	 */
	async next(error: unknown): Promise<unknown> {
		const { pacer, signal } = this.#options;
		this.count += 1;
		this.#failedAt ||= Date.now();
		this.history = worseOf(this.history, historyOf(error));
		if (error instanceof ExecutionCanceled) {
			return new ExecutionCanceled(this.history, error.isInFlight);
		}
		if (!(error instanceof ServiceError)) return error;
		const { status, retryAfter, isTransient } = error.details;
		// Requests that failed together should not be repeated together.
		const jitter = Math.random() / 2;
		const backoff = Math.min(FIRST_WAIT_MS * 2 ** (this.count - 1), LONGEST_WAIT_MS);
		const asked = retryAfter === undefined ? undefined : retryAfter + FIRST_WAIT_MS * jitter;
		const wait = asked ?? backoff * (1 - jitter);
		// A request may also have waited for others.
		this.#waited = Math.max(this.#waited, Date.now() - this.#failedAt);
		const isRateLimit = isTransient === true && (status === 429 || asked !== undefined);
		if (isRateLimit) pacer?.slowDown(wait);
		const mayRetry = this.#mayRetry(error, wait, isRateLimit);
		if (!mayRetry || signal?.aborted) return this.#conclude(error, wait);
		this.#waited += wait;
		if (!pacer || !isRateLimit) await pause(wait, signal);
		return undefined;
	}

	#mayRetry(error: ServiceError, wait: number, isRateLimit: boolean): boolean {
		const { maxRetries, maxWait = LONGEST_TOTAL_MS, idempotent = true } = this.#options;
		const isCertain = historyOf(error) !== 'may be applied';
		if (!error.details.isTransient || !(idempotent || isCertain)) return false;
		// A busy service that certainly did nothing may be asked until the time is up.
		const isFree = isRateLimit && isCertain && this.#options.pacer !== undefined && maxRetries > 0;
		if (!isFree) this.#retries += 1;
		return this.#retries <= maxRetries && this.#waited + wait <= maxWait;
	}

	#conclude(error: ServiceError, wait: number): ServiceError {
		const { retryAfter, isShared, isFinal } = error.details;
		if (isFinal && this.#options.inWords) return this.#options.inWords(error.with({ history: this.history }));
		const { maxWait = LONGEST_TOTAL_MS } = this.#options;
		const isTooLong = retryAfter !== undefined && this.#waited + wait > maxWait;
		const until = `The service asks to wait until ${formatTime(Date.now() + (retryAfter ?? 0))}.`;
		const count = this.count > 1 && !isShared && `Attempts: ${this.count}.`;
		const known = error.with({ history: this.history });
		const { message, advice, details } = this.#options.inWords?.(known) ?? known;
		const text = [advice, isTooLong && until, count].filter(Boolean).join(' ');
		return new ServiceError(message, text, details);
	}
}
