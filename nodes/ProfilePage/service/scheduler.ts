import { type Ended, type Failure, STOPPED } from './failure';
import { Throttle } from './throttle';
import { LONGEST_TOTAL_MS, pause } from './waiting';
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
	readonly #calls: CallQueue;
	readonly #requests = new RequestQueue();
	readonly #throttle = new Throttle();
	/** How many requests may start before the next pause. */
	#startsLeft: number;
	/** When the current pause ends, in milliseconds since 1970; 0 if there is none. */
	#pausedUntil = 0;

	constructor(options: ScheduleOptions) {
		this.#options = options;
		this.#calls = new CallQueue(options.batchSize);
		this.#startsLeft = this.#startsPerPause;
	}

	/**
	 * Does the work of a call when it has a place, and the call before it with the same key has ended. If it may not start
	 * any more, `work` gets the failure.
	 */
	async runCall(key: string | undefined, work: (refusal?: Failure) => Promise<void>): Promise<void> {
		const leave = await this.#calls.enter(key);
		try {
			await work(this.#refusal());
		} finally {
			leave();
		}
	}

	/** Sends a request of a call when it may start, or returns why it may not. */
	async runRequest<T>(isRetry: boolean, send: () => Promise<Ended<T>>): Promise<Ended<T>> {
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
		// Requests that may not wait as long are refused at once.
		this.#admit();
	}

	/** Whether a request has succeeded since a time in milliseconds since 1970. */
	hasSucceededSince(time: number): boolean {
		return this.#throttle.succeededAt > time;
	}

	get #startsPerPause(): number {
		const { batchSize, batchInterval } = this.#options;
		return batchInterval > 0 ? batchSize : STARTS_PER_TURN;
	}

	/**
	 * Starts no request for a while: for 0 ms, until the next turn of the event loop. The longest pause counts. If nothing
	 * more may start, it ends at once, and all that wait are refused.
	 */
	async #pause(milliseconds: number): Promise<void> {
		const pausedUntil = Date.now() + milliseconds;
		if (pausedUntil <= this.#pausedUntil) return;
		this.#pausedUntil = pausedUntil;
		await pause(milliseconds, this.#options.signal);
		if (this.#pausedUntil !== pausedUntil) return;
		this.#pausedUntil = 0;
		const { batchInterval } = this.#options;
		// A shorter pause, for which the service asked, does not begin another interval.
		if (this.#startsLeft === 0 || milliseconds >= batchInterval) this.#startsLeft = this.#startsPerPause;
		this.#admit();
	}

	/** Lets waiting requests start while there is room; all, to be refused, if none may be sent any more. */
	#admit(): void {
		if (this.#refusal()) {
			this.#requests.admit(Infinity);
			return;
		}
		if (this.#pausedUntil > 0) return;
		const limit = Math.floor(this.#throttle.limit);
		this.#startsLeft -= this.#requests.admit(limit, this.#startsLeft);
		if (this.#startsLeft === 0) void this.#pause(this.#options.batchInterval);
	}
}

/** A call in the order of the input, and the next one with the same key. */
interface WaitingCall {
	readonly position: number;
	readonly start: () => void;
	next?: WaitingCall;
}

/** The calls that wait for a place, in the order of the input. One whose key is in use lets others pass. */
class CallQueue {
	/** Those that have started, and then those that could start if there was a place: to shift a long list takes long. */
	readonly #ready: WaitingCall[] = [];
	#started = 0;
	/** The last call of each key. */
	readonly #lastCalls = new Map<string, WaitingCall>();
	#placesLeft: number;
	#entered = 0;

	constructor(places: number) {
		this.#placesLeft = places;
	}

	/** Waits for one of the places, and returns how to leave it. */
	async enter(key: string | undefined): Promise<() => void> {
		const call = await new Promise<WaitingCall>((resolve) => {
			const waiting: WaitingCall = { position: this.#entered++, start: () => resolve(waiting) };
			const before = key === undefined ? undefined : this.#lastCalls.get(key);
			if (key !== undefined) this.#lastCalls.set(key, waiting);
			if (before) before.next = waiting;
			else this.#ready.push(waiting);
			this.#admit();
		});
		return () => {
			this.#placesLeft += 1;
			if (call.next) this.#insert(call.next);
			else if (key !== undefined) this.#lastCalls.delete(key);
			this.#admit();
		};
	}

	#insert(call: WaitingCall): void {
		const isEarlier = (other?: WaitingCall) => other !== undefined && other.position < call.position;
		let index = this.#started;
		while (isEarlier(this.#ready[index])) index += 1;
		this.#ready.splice(index, 0, call);
	}

	#admit(): void {
		while (this.#placesLeft > 0) {
			const call = this.#ready[this.#started];
			if (!call) return;
			this.#started += 1;
			this.#placesLeft -= 1;
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
