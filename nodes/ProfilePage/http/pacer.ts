import { ExecutionCanceled, ServiceError } from '../shared/errors';
import { pause } from '../shared/waiting';

/** The longest total wait for one request, in milliseconds. */
export const LONGEST_TOTAL_MS = 90_000;

/** By how much a request that ends raises the number of concurrent requests, divided by that number. */
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
 * rejected go first, and fewer are sent at a time; the number grows again with each that ends.
 */
export class Pacer {
	readonly #options: PaceOptions;
	readonly #batchSize: number;
	/** Waiting requests that were rejected, and those that were not sent yet. */
	readonly #retries: Array<() => void> = [];
	readonly #others: Array<() => void> = [];
	/** How many requests may be in flight. */
	#limit = Infinity;
	#inFlight = 0;
	#leftInBatch: number;
	#isStopped = false;
	/** When the current pause ends, in milliseconds since 1970; 0 if there is none. */
	#resumeAt = 0;
	/** Whether the service asked for the pause. */
	#isSlowedDown = false;
	/** When the service accepts requests again, if that is too late to wait for it. */
	#blockedUntil = 0;

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
		await new Promise<void>((resolve) => {
			(isRetry ? this.#retries : this.#others).push(resolve);
			this.#admit();
		});
		const refusal = this.#refusal(isRetry);
		if (!refusal) return;
		this.leave();
		throw refusal;
	}

	/** Notes that a request has ended. */
	leave(): void {
		this.#inFlight -= 1;
		if (!this.#isSlowedDown) this.#limit += GROWTH / this.#limit;
		this.#admit();
	}

	/** Starts no more requests, except retries. */
	stop(): void {
		this.#isStopped = true;
		this.#admit();
	}

	/** Makes all requests wait, as the service asks for it. */
	slowDown(milliseconds: number): void {
		if (milliseconds > LONGEST_TOTAL_MS) this.#blockedUntil = Date.now() + milliseconds;
		// Those that were sent before are rejected too: they count once.
		else if (!this.#isSlowedDown) {
			this.#isSlowedDown = true;
			this.#limit = Math.max(1, Math.min(this.#limit, this.#inFlight + 1) / 2);
		}
		this.#pauseFor(Math.min(milliseconds, LONGEST_TOTAL_MS));
	}

	#pauseFor(milliseconds: number): void {
		const resumeAt = Date.now() + milliseconds;
		if (resumeAt > this.#resumeAt) {
			this.#resumeAt = resumeAt;
			void pause(milliseconds, this.#options.signal).then(() => {
				if (this.#resumeAt !== resumeAt) return;
				this.#resumeAt = 0;
				this.#isSlowedDown = false;
				this.#leftInBatch = this.#batchSize;
				this.#admit();
			});
		}
		this.#admit();
	}

	/** Lets waiting requests start while there is room, and those that are refused go on at once. */
	#admit(): void {
		const isOver = this.#refusal(true) !== undefined;
		const hasRoom = () => this.#resumeAt === 0 && this.#inFlight < Math.floor(this.#limit);
		while (isOver || this.#isStopped || hasRoom()) {
			const mayRetry = isOver || hasRoom();
			const retry = mayRetry ? this.#retries.shift() : undefined;
			const start = retry ?? this.#others.shift();
			if (!start) return;
			this.#inFlight += 1;
			this.#leftInBatch -= 1;
			if (this.#leftInBatch === 0) this.#pauseFor(this.#options.batchInterval ?? 0);
			start();
		}
	}

	#refusal(isRetry: boolean): Error | undefined {
		const isStopped = this.#isStopped && !isRetry;
		if (isStopped || this.#options.signal?.aborted) return new ExecutionCanceled();
		if (this.#blockedUntil <= Date.now()) return undefined;
		const problem = `the service asks to wait until ${formatTime(this.#blockedUntil)}`;
		return new ServiceError(problem, 'Run the workflow again after that.', { history: 'not sent' });
	}
}

/** Returns a time in milliseconds since 1970 such as "2026-12-24 18:00 UTC", rounded up. */
export function formatTime(time: number): string {
	const minutes = Math.ceil(Math.min(time, Date.UTC(9999, 11, 31)) / 60_000);
	return `${new Date(minutes * 60_000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
