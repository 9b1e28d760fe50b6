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

/** A request that waits to start. */
interface Waiting {
	readonly isRetry: boolean;
	readonly mustFinish: boolean;
	readonly start: () => void;
}

/**
 * Paces the requests of an execution for one account. When the service asks to wait, all of them wait, those that it
 * rejected go first, and fewer are sent at a time; the number grows again with each success.
 */
export class Pacer {
	readonly #options: PaceOptions;
	readonly #batchSize: number;
	/** The requests that wait to start: first those that were rejected. */
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

	constructor(options: PaceOptions) {
		const { batchSize = Infinity, batchInterval = 0 } = options;
		this.#options = options;
		this.#batchSize = batchInterval > 0 ? batchSize : Infinity;
		this.#leftInBatch = this.#batchSize;
	}

	/**
	 * Waits until a request may start.
	 *
	 * @param mustFinish whether it is unknown what has become of it, so that it is sent again even after a stop
	 * @throws ServiceError if the service asks to wait for longer than a request may take; ExecutionCanceled
	 */
	async enter(isRetry: boolean, mustFinish = isRetry): Promise<void> {
		await new Promise<void>((start) => {
			const others = this.#waiting.findIndex((waiting) => !waiting.isRetry);
			const place = isRetry && others >= 0 ? others : this.#waiting.length;
			this.#waiting.splice(place, 0, { isRetry, mustFinish, start });
			this.#admit();
		});
		const refusal = this.#refusal({ mustFinish });
		if (!refusal) return;
		this.leave(false);
		throw refusal;
	}

	/** Notes that a request has ended. */
	leave(isSuccess: boolean): void {
		this.#inFlight -= 1;
		if (isSuccess) {
			this.#rejectedSince = 0;
			if (!this.#isSlowedDown) this.#limit += GROWTH / this.#limit;
		}
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
		for (const waiting of [...this.#waiting]) {
			const hasRoom = this.#resumeAt === 0 && this.#inFlight < Math.floor(this.#limit);
			if (!hasRoom && !this.#refusal(waiting)) continue;
			const place = this.#waiting.indexOf(waiting);
			if (place < 0) continue;
			this.#waiting.splice(place, 1);
			this.#inFlight += 1;
			this.#leftInBatch -= 1;
			if (this.#leftInBatch === 0) this.#pauseFor(this.#options.batchInterval ?? 0);
			waiting.start();
		}
	}

	#refusal({ mustFinish }: Pick<Waiting, 'mustFinish'>): Error | undefined {
		const isStopped = this.#isStopped && !mustFinish;
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
