import { ExecutionCanceled, ServiceError } from '../shared/errors';
import { pause } from '../shared/waiting';

/** The longest total wait for one request, in milliseconds. */
export const LONGEST_TOTAL_MS = 90_000;

/** By how much a success raises the number of concurrent requests, divided by that number. */
const GROWTH = 0.5;

export interface PaceOptions {
	/** Starts up to `batchSize` requests, then waits for `batchInterval` milliseconds. */
	readonly batchSize?: number;
	readonly batchInterval?: number;
	/** Cancels the execution, and ends waits. */
	readonly signal?: AbortSignal;
}

/**
 * Paces the requests of an execution for one account. When the service asks to wait, all of them wait, those that it
 * rejected go first, and fewer are sent at a time; the number grows again with each success.
 */
export class Pacer {
	/** Set to true to start no more requests, except retries. */
	isStopped = false;
	readonly #options: PaceOptions;
	readonly #batchSize: number;
	/** How many requests may be in flight. */
	#limit = Infinity;
	#inFlight = 0;
	#leftInBatch: number;
	#waitingRetries = 0;
	/** When the current pause ends, in milliseconds since 1970; 0 if there is none. */
	#resumeAt = 0;
	/** Whether the service asked for the pause. */
	#isSlowedDown = false;
	/** When the service accepts requests again, if that is too late to wait for it. */
	#blockedUntil = 0;
	#waiting: Array<() => void> = [];

	constructor(options: PaceOptions) {
		const { batchSize = Infinity, batchInterval = 0 } = options;
		this.#options = options;
		this.#batchSize = batchInterval > 0 ? batchSize : Infinity;
		this.#leftInBatch = this.#batchSize;
	}

	/**
	 * Waits until a request may start.
	 *
	 * @throws ServiceError if the service asks to wait for longer than a request may take; ExecutionCanceled
	 */
	async enter(isRetry: boolean): Promise<void> {
		if (isRetry) this.#waitingRetries += 1;
		let refusal = this.#refusal(isRetry);
		while (!refusal && this.#mustWait(isRetry)) {
			await new Promise<void>((resolve) => this.#waiting.push(resolve));
			refusal = this.#refusal(isRetry);
		}
		if (isRetry) this.#waitingRetries -= 1;
		if (refusal) throw refusal;
		this.#inFlight += 1;
		this.#leftInBatch -= 1;
		if (this.#leftInBatch === 0) this.#pauseFor(this.#options.batchInterval ?? 0);
	}

	/** Notes that a request has ended. */
	leave(): void {
		this.#inFlight -= 1;
		if (!this.#isSlowedDown) this.#limit += GROWTH / this.#limit;
		this.#wake();
	}

	/** Makes all requests wait, as the service asks for it. */
	slowDown(milliseconds: number): void {
		if (milliseconds > LONGEST_TOTAL_MS) this.#blockedUntil = Date.now() + milliseconds;
		// Those that were sent before are rejected too: they count once.
		else if (!this.#isSlowedDown) {
			this.#isSlowedDown = true;
			this.#limit = Math.max(1, Math.floor(Math.min(this.#limit, this.#inFlight + 1) / 2));
		}
		this.#pauseFor(Math.min(milliseconds, LONGEST_TOTAL_MS));
	}

	#pauseFor(milliseconds: number): void {
		const resumeAt = Date.now() + milliseconds;
		if (resumeAt <= this.#resumeAt) return;
		this.#resumeAt = resumeAt;
		void pause(milliseconds, this.#options.signal).then(() => {
			if (this.#resumeAt !== resumeAt) return;
			this.#resumeAt = 0;
			this.#isSlowedDown = false;
			this.#leftInBatch = this.#batchSize;
			this.#wake();
		});
		this.#wake();
	}

	#mustWait(isRetry: boolean): boolean {
		const isNext = isRetry || this.#waitingRetries === 0;
		return this.#resumeAt > 0 || !isNext || this.#inFlight >= this.#limit;
	}

	#refusal(isRetry: boolean): Error | undefined {
		const isStopped = this.isStopped && !isRetry;
		if (isStopped || this.#options.signal?.aborted) return new ExecutionCanceled();
		if (this.#blockedUntil <= Date.now()) return undefined;
		const problem = `the service asks to wait until ${formatTime(this.#blockedUntil)}`;
		return new ServiceError(problem, 'Run the workflow again after that.', { history: 'not sent' });
	}

	#wake(): void {
		for (const resolve of this.#waiting.splice(0)) resolve();
	}
}

/** Returns a time in milliseconds since 1970 such as "2026-12-24 18:00 UTC", rounded up. */
export function formatTime(time: number): string {
	const minutes = Math.ceil(Math.min(time, Date.UTC(9999, 11, 31)) / 60_000);
	return `${new Date(minutes * 60_000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
