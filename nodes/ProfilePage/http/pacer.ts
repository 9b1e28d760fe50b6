import { ExecutionCanceled, ServiceError } from '../shared/errors';
import { pause } from '../shared/waiting';

/** The longest total wait for one request, in milliseconds. */
export const LONGEST_TOTAL_MS = 90_000;

/** By how much the limit grows after as many successes as it allows requests. */
const GROWTH = 0.5;

export interface PaceOptions {
	/** Starts up to `batchSize` requests, then waits for `batchInterval` milliseconds. */
	readonly batchSize?: number;
	readonly batchInterval?: number;
	/** Aborts when the execution is canceled, and ends waits. */
	readonly signal?: AbortSignal;
}

/** A request that waits to start. */
interface Waiting {
	readonly isRetry: boolean;
	readonly mustFinish: boolean;
	readonly start: () => void;
	readonly refuse: (reason: Error) => void;
}

/**
 * Paces the requests of an execution for one app. When the service asks to wait, all of them wait, those that it
 * rejected go first, and fewer are sent at a time; the number grows again with each success.
 */
export class Pacer {
	readonly #signal?: AbortSignal;
	readonly #batchInterval: number;
	readonly #batchSize: number;
	/** The requests that wait to start, first the retries. */
	readonly #waiting: Waiting[] = [];
	/** How many requests may be in flight. */
	#limit = Infinity;
	#inFlight = 0;
	#leftInBatch: number;
	#isStopped = false;
	/** When the current pause ends, in milliseconds since 1970; 0 if there is none. */
	#resumeAt = 0;
	/** Whether the service asked for the pause. */
	#isSlowedDown = false;
	/** Since when all requests have been rejected, in milliseconds since 1970; 0 if one has succeeded. */
	#rejectedSince = 0;
	/** When the service accepts requests again, if that is too late to wait for it. */
	#blockedUntil = 0;

	constructor({ batchSize = Infinity, batchInterval = 0, signal }: PaceOptions) {
		this.#signal = signal;
		this.#batchInterval = batchInterval;
		this.#batchSize = batchInterval > 0 ? batchSize : Infinity;
		this.#leftInBatch = this.#batchSize;
	}

	/**
	 * Waits until a request may start.
	 *
	 * @param mustFinish whether it is unknown what has become of it, so that it is sent again even after a stop
	 * @throws ServiceError if the service asks to wait for longer than a request may take; ExecutionCanceled
	 */
	async enter(isRetry: boolean, mustFinish: boolean): Promise<void> {
		await new Promise<void>((start, refuse) => {
			const earlier = isRetry ? this.#waiting.filter((other) => other.isRetry) : this.#waiting;
			this.#waiting.splice(earlier.length, 0, { isRetry, mustFinish, start, refuse });
			this.#admit();
		});
	}

	/**
	 * Notes that a request has ended. The place of one that failed is free a moment later: before another request takes
	 * it, the failure may end the node, or slow down the others.
	 */
	async leave(isSuccess: boolean): Promise<void> {
		if (!isSuccess) await pause(0);
		else {
			this.#rejectedSince = 0;
			if (!this.#isSlowedDown) this.#limit += GROWTH / this.#limit;
		}
		this.#inFlight -= 1;
		this.#admit();
	}

	/** Starts no more requests, except those that must be finished. */
	stop(): void {
		this.#isStopped = true;
		this.#admit();
	}

	/** Makes all requests wait, as the service asks for it. */
	slowDown(milliseconds: number): void {
		const now = Date.now();
		this.#rejectedSince ||= now;
		const isHopeless = now - this.#rejectedSince > LONGEST_TOTAL_MS;
		if (isHopeless || milliseconds > LONGEST_TOTAL_MS) this.#blockedUntil = now + milliseconds;
		// Those that were sent before are rejected too: they count once.
		else if (!this.#isSlowedDown) {
			this.#isSlowedDown = true;
			this.#limit = Math.max(1, Math.min(this.#limit, this.#inFlight + 1) / 2);
		}
		this.#pauseFor(Math.min(milliseconds, LONGEST_TOTAL_MS));
		this.#admit();
	}

	#pauseFor(milliseconds: number): void {
		const resumeAt = Date.now() + milliseconds;
		if (resumeAt <= this.#resumeAt) return;
		this.#resumeAt = resumeAt;
		// A cancellation ends the pause at once, and all that wait are refused.
		void pause(milliseconds, this.#signal).then(() => {
			if (this.#resumeAt !== resumeAt) return;
			this.#resumeAt = 0;
			this.#isSlowedDown = false;
			this.#leftInBatch = this.#batchSize;
			this.#admit();
		});
	}

	/** Starts waiting requests while there is room, and ends the wait of those that may not start any more. */
	#admit(): void {
		for (const waiting of [...this.#waiting]) {
			const refusal = this.refusal(waiting.mustFinish);
			const hasRoom = this.#resumeAt === 0 && this.#inFlight < Math.floor(this.#limit);
			if (!refusal && !hasRoom) continue;
			this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
			if (refusal) {
				waiting.refuse(refusal);
				continue;
			}
			waiting.start();
			this.#inFlight += 1;
			this.#leftInBatch -= 1;
			if (this.#leftInBatch === 0) this.#pauseFor(this.#batchInterval);
		}
	}

	/** Returns why a request must not start any more; undefined if it may. */
	refusal(mustFinish: boolean): Error | undefined {
		if (this.#signal?.aborted || (this.#isStopped && !mustFinish)) return new ExecutionCanceled();
		if (this.#blockedUntil <= Date.now()) return undefined;
		const problem = `the service asks to wait until ${formatTime(this.#blockedUntil)}`;
		return new ServiceError(problem, 'Run the workflow again after that.', { history: 'not sent', isCounted: true });
	}
}

/** Returns a time in milliseconds since 1970 such as "2026-12-24 18:00 UTC", rounded up. */
export function formatTime(time: number): string {
	const minutes = Math.ceil(Math.min(time, Date.UTC(9999, 11, 31)) / 60_000);
	return `${new Date(minutes * 60_000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
