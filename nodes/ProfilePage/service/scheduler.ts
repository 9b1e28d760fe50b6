import { type Ended, type Failure, STOPPED } from './failure';
import { Throttle } from './throttle';
import { LONGEST_TOTAL_MS, pause } from './waiting';
import { WaitingRequests } from './waitingRequests';

/** How many requests start in one turn of the event loop. If it were all, none would be on its way until all are prepared. */
const STARTS_PER_TURN = 8;

/** How many requests start in each interval, if there is one. */
export interface Batching {
	readonly batchSize: number;
	/** In milliseconds; 0 if there is none. */
	readonly batchInterval: number;
}

interface ScheduleOptions extends Batching {
	/** Aborts when nothing more may start: the execution was canceled, or a failure ended the node. */
	readonly signal?: AbortSignal;
}

/**
 * Says when the requests of an account may start. When the service asks to wait, all requests wait. Then the rejected
 * requests go first, a few at a time.
 */
export class Scheduler {
	readonly #options: ScheduleOptions;
	readonly #throttle = new Throttle();
	readonly #waiting = new WaitingRequests();
	#inFlight = 0;
	/** How many requests may start before the next ones are held: what is left of a batch, or of a turn of the event loop. */
	#startsLeft: number;
	/** Until when no request starts, in milliseconds since 1970; 0 if requests start. */
	#heldUntil = 0;

	constructor(options: ScheduleOptions) {
		this.#options = options;
		this.#startsLeft = this.#startsPerHold;
	}

	/**
	 * Sends a request when it may start, or returns why it may not.
	 *
	 * @param goesFirst whether it was rejected before
	 */
	async schedule<T>(goesFirst: boolean, send: () => Promise<Ended<T>>): Promise<Ended<T>> {
		await new Promise<void>((start) => {
			this.#waiting.add(goesFirst, start);
			this.#admit();
		});
		let isSuccess = false;
		try {
			const ended = this.#refusal() ?? (await send());
			isSuccess = ended.outcome === 'done';
			return ended;
		} finally {
			void this.#leave(isSuccess);
		}
	}

	/** Makes all requests wait, as the service asks for it. */
	slowDown(milliseconds: number): void {
		this.#throttle.slowDown(milliseconds, this.#inFlight);
		void this.#hold(Math.min(milliseconds, LONGEST_TOTAL_MS));
		// Requests that may not wait as long are refused at once.
		this.#admit();
	}

	/** Whether a request has succeeded since a time in milliseconds since 1970. */
	hasSucceededSince(time: number): boolean {
		return this.#throttle.succeededAt > time;
	}

	/** Returns why no request may be sent any more; undefined if it may. */
	#refusal(): Failure | undefined {
		return this.#options.signal?.aborted ? STOPPED : this.#throttle.refusal;
	}

	/**
	 * Notes that a request has ended. If it failed, it counts as in flight for one more turn of the event loop, so that
	 * `withRetries` can slow down the others, or the node can end, before another request starts.
	 */
	async #leave(isSuccess: boolean): Promise<void> {
		if (isSuccess) this.#throttle.succeeded();
		else await pause(0);
		this.#inFlight -= 1;
		this.#admit();
	}

	get #startsPerHold(): number {
		const { batchSize, batchInterval } = this.#options;
		return batchInterval > 0 ? batchSize : STARTS_PER_TURN;
	}

	/** Starts no request for a while: for 0 ms, until the next turn of the event loop. If it is called several times, the latest end counts. */
	async #hold(milliseconds: number): Promise<void> {
		const heldUntil = Date.now() + milliseconds;
		if (heldUntil <= this.#heldUntil) return;
		this.#heldUntil = heldUntil;
		// If nothing more may start, this ends at once, so that all that wait are refused.
		await pause(milliseconds, this.#options.signal);
		const isExtended = this.#heldUntil !== heldUntil;
		if (isExtended) return;
		this.#heldUntil = 0;
		// Held for less than the batch interval, the others of the same batch may still start.
		const endsInterval = this.#startsLeft === 0 || milliseconds >= this.#options.batchInterval;
		if (endsInterval) this.#startsLeft = this.#startsPerHold;
		this.#admit();
	}

	/** Lets waiting requests start while there is room; all of them, to be refused, if none may be sent any more. */
	#admit(): void {
		if (this.#refusal()) {
			this.#start(Infinity);
			return;
		}
		if (this.#heldUntil > 0) return;
		const room = Math.floor(this.#throttle.limit) - this.#inFlight;
		this.#startsLeft -= this.#start(Math.min(room, this.#startsLeft));
		if (this.#startsLeft === 0) void this.#hold(this.#options.batchInterval);
	}

	/** Starts up to `most` of the waiting requests, and returns how many have started. */
	#start(most: number): number {
		const started = this.#waiting.take(Math.max(0, most), this.#throttle.isStuck);
		this.#inFlight += started.length;
		for (const start of started) start();
		return started.length;
	}
}
