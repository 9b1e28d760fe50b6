import { LONGEST_TOTAL_MS, Throttle } from './throttle';
import { type Ended, type Failure, STOPPED } from './types';
import { pause } from './waiting';
import { formatTime } from './words';

/** How many requests start in one turn of the event loop. More would be prepared before the first one is on its way. */
const STARTS_PER_TURN = 8;

export interface ScheduleOptions {
	/** The maximum number of calls in flight. With an interval, the next ones start that many milliseconds after as many starts. */
	readonly batchSize: number;
	readonly batchInterval: number;
	/** Aborts when nothing more may start: the execution was canceled, or a failure ended the node. */
	readonly signal?: AbortSignal;
}

/**
 * Says when the calls of an account, and the requests of a call, may start. Calls with the same key run one after
 * another. When the service asks to wait, all requests wait; then those that it rejected go first, a few at a time.
 */
export class Scheduler {
	readonly #options: ScheduleOptions;
	readonly #calls = new CallQueue();
	readonly #requests = new RequestQueue();
	readonly #throttle = new Throttle();
	/** The starts that are left before the next interval, and when the current pause ends, in milliseconds since 1970. */
	readonly #pace: { startsLeft: number; pausedUntil: number };

	constructor(options: ScheduleOptions) {
		this.#options = options;
		this.#pace = { startsLeft: this.#startsPerInterval, pausedUntil: 0 };
	}

	/**
	 * Does the work of a call when it has a place, and the call before it with the same key has ended. If it may not start
	 * any more, `work` gets the failure.
	 */
	async call(key: string | undefined, work: (refusal?: Failure) => Promise<void>): Promise<void> {
		const leave = await this.#calls.enter(key, this.#options.batchSize);
		try {
			await work(this.#refusal());
		} finally {
			leave();
		}
	}

	/** Sends a request of a call when it may start, or returns why it may not. */
	async request<T>(isRetry: boolean, send: () => Promise<Ended<T>>): Promise<Ended<T>> {
		const entered = this.#requests.enter(isRetry);
		this.#admit();
		await entered;
		let isSuccess = false;
		try {
			const ended = this.#refusal() ?? (await send());
			isSuccess = ended.outcome === 'done';
			return ended;
		} finally {
			void this.#leave(isSuccess);
		}
	}

	/**
	 * Notes that a request has ended. The place of one that failed is free a moment later: before another request takes
	 * it, the failure may end the node, or slow down the others.
	 */
	async #leave(isSuccess: boolean): Promise<void> {
		if (isSuccess) this.#throttle.succeeded();
		else await pause(0);
		this.#requests.leave();
		this.#admit();
	}

	/** Returns why a request must not be sent any more; undefined if it may. */
	#refusal(): Failure | undefined {
		if (this.#options.signal?.aborted) return STOPPED;
		const { blockedUntil } = this.#throttle;
		if (blockedUntil <= Date.now()) return undefined;
		const problem = `the service asks to wait until ${formatTime(blockedUntil)}`;
		const advice = 'Run the workflow again after that.';
		return { outcome: 'not sent', kind: 'request', problem, advice, attempts: 0 };
	}

	/** Makes all requests wait, as the service asks for it. */
	slowDown(milliseconds: number): void {
		this.#throttle.slowDown(milliseconds, this.#requests.inside);
		void this.#pause(Math.min(milliseconds, LONGEST_TOTAL_MS));
	}

	/** Whether a request has succeeded since a time in milliseconds since 1970. */
	hasSucceededSince(time: number): boolean {
		return this.#throttle.succeededAt > time;
	}

	get #startsPerInterval(): number {
		const { batchSize, batchInterval } = this.#options;
		return batchInterval > 0 ? batchSize : STARTS_PER_TURN;
	}

	/** If nothing more may start, the pause ends at once, and all that wait are refused. */
	async #pause(milliseconds: number): Promise<void> {
		const pausedUntil = Date.now() + milliseconds;
		if (pausedUntil > this.#pace.pausedUntil) {
			this.#pace.pausedUntil = pausedUntil;
			await pause(milliseconds, this.#options.signal);
			if (this.#pace.pausedUntil !== pausedUntil) return;
			this.#pace.pausedUntil = 0;
			this.#pace.startsLeft = this.#startsPerInterval;
		}
		this.#admit();
	}

	/** Lets waiting requests start while there is room; all, to be refused, if none may be sent any more. */
	#admit(): void {
		if (this.#refusal()) {
			this.#requests.admit(Infinity);
			return;
		}
		if (this.#pace.pausedUntil > 0) return;
		const limit = Math.floor(this.#throttle.limit);
		this.#pace.startsLeft -= this.#requests.admit(limit, this.#pace.startsLeft);
		if (this.#pace.startsLeft === 0) void this.#pause(this.#options.batchInterval);
	}
}

/** The calls that wait for a place, in the order of the input. One whose key is in use lets others pass. */
class CallQueue {
	readonly #waiting: Array<{ readonly key?: string; readonly start: () => void }> = [];
	readonly #keysInUse = new Set<string>();
	#inside = 0;

	/** Waits for one of the places, and returns how to leave it. */
	async enter(key: string | undefined, places: number): Promise<() => void> {
		await new Promise<void>((start) => {
			this.#waiting.push({ key, start });
			this.#admit(places);
		});
		return () => {
			this.#inside -= 1;
			if (key !== undefined) this.#keysInUse.delete(key);
			this.#admit(places);
		};
	}

	#admit(places: number): void {
		while (this.#inside < places) {
			const next = this.#waiting.findIndex(({ key }) => key === undefined || !this.#keysInUse.has(key));
			const [call] = next < 0 ? [] : this.#waiting.splice(next, 1);
			if (!call) return;
			this.#inside += 1;
			if (call.key !== undefined) this.#keysInUse.add(call.key);
			call.start();
		}
	}
}

/** The requests that wait to be sent, first the retries. */
class RequestQueue {
	readonly #waiting: Array<{ readonly isRetry: boolean; readonly start: () => void }> = [];
	inside = 0;

	async enter(isRetry: boolean): Promise<void> {
		await new Promise<void>((start) => {
			const firstOther = isRetry ? this.#waiting.findIndex((other) => !other.isRetry) : -1;
			this.#waiting.splice(firstOther < 0 ? this.#waiting.length : firstOther, 0, { isRetry, start });
		});
	}

	leave(): void {
		this.inside -= 1;
	}

	/** Lets in as many as the limit leaves room for, but no more than `most`, and returns how many these are. */
	admit(limit: number, most = Infinity): number {
		const room = Math.max(0, Math.min(limit - this.inside, most));
		const admitted = this.#waiting.splice(0, Math.min(room, this.#waiting.length));
		this.inside += admitted.length;
		for (const { start } of admitted) start();
		return admitted.length;
	}
}
