import { type Failure, type FailureData, requestFailure, stopped } from '../shared/failure';
import { ConcurrencyLimit } from './concurrencyLimit';
import {
	type Consequence,
	CONSEQUENCES,
	isDown,
	LONGEST_TOTAL_MS,
	meaningOf,
	type ServiceState,
	UNKNOWN_SERVICE,
	waitAfter,
	withAnswer,
	withFailure,
} from './policy';
import type { Judge } from './retrying';
import { pause } from './waiting';
import { asksToWaitUntil, RUN_AGAIN_AFTER_THAT } from './words';

export interface GateOptions {
	/** The maximum number of concurrent requests. */
	readonly batchSize: number;
	/** How long a request keeps its place at least, in milliseconds; by default, until it has ended. */
	readonly batchInterval?: number;
	/** Aborts when nothing more may be sent, and ends waits. */
	readonly signal?: AbortSignal;
}

/**
 * Decides when each request of a run starts. Each answer lets one more be in flight, until the service rejects some. Then all
 * pause, and half as many may be in flight, which grows slowly. Those that were rejected go first once another one is answered.
 */
export class Gate {
	readonly #options: GateOptions;
	/** How to start each request that waits. */
	readonly #waiting: Array<() => void> = [];
	#inFlight = 0;
	#service: ServiceState = UNKNOWN_SERVICE;
	readonly #limit = new ConcurrencyLimit();
	/** When the pause of all requests ends, in milliseconds since 1970; undefined if they may start. */
	#pausedUntil?: number;
	#refusal?: Failure;

	constructor(options: GateOptions) {
		this.#options = options;
	}

	/** About how many concurrent requests the service accepts; undefined if it has not asked to slow down. */
	get concurrencyLimit(): number | undefined {
		return this.#limit.wasLowered ? this.#places : undefined;
	}

	get #places(): number {
		return Math.min(this.#limit.value, this.#options.batchSize);
	}

	/**
	 * Starts an attempt when there is room for it; retries go first, unless the last attempt failed.
	 *
	 * @param ensureToken is awaited before, once there is room
	 * @throws Failure if nothing more may be sent
	 */
	async enter<T>(isRetry: boolean, ensureToken: () => Promise<void>, attempt: () => Promise<T>): Promise<T> {
		await new Promise<void>((start) => {
			this.#waiting[isRetry ? 'unshift' : 'push'](start);
			this.#admit();
		});
		let interval: Promise<void> | undefined;
		let isSuccess = false;
		try {
			this.#checkRefusal();
			await ensureToken();
			// A pause may have begun meanwhile.
			while (this.#pausedUntil) await pause(this.#pausedUntil - Date.now(), this.#options.signal);
			this.#checkRefusal();
			interval = this.#startInterval();
			const result = await attempt();
			isSuccess = true;
			this.#noteAnswer();
			return result;
		} finally {
			void this.#leave(isSuccess, interval ?? this.#startInterval());
		}
	}

	async #startInterval(): Promise<void> {
		const { batchInterval = 0, signal } = this.#options;
		if (batchInterval > 0) await pause(batchInterval, signal);
	}

	#checkRefusal(): void {
		const refusal = this.#findRefusal();
		if (refusal) throw refusal;
	}

	/** Frees the place of a request: after a failure a moment later, so that it can end the node before another one starts. */
	async #leave(isSuccess: boolean, interval: Promise<void>): Promise<void> {
		if (!isSuccess) await pause(0);
		await interval;
		this.#inFlight -= 1;
		this.#admit();
	}

	/** Lets waiting requests start while there is room; all of them, to be refused, if none may be sent any more. */
	#admit(): void {
		const isRefused = this.#findRefusal() !== undefined;
		const isRoom = () => this.#pausedUntil === undefined && this.#inFlight < this.#places;
		while (this.#waiting.length > 0 && (isRefused || isRoom())) {
			this.#inFlight += 1;
			// After a failure, one that was not rejected yet may tell whether the service rejects all or some of them.
			const start = this.#service.failing && !isRefused ? this.#waiting.pop() : this.#waiting.shift();
			start?.();
		}
	}

	#findRefusal(): Failure | undefined {
		return this.#options.signal?.aborted ? stopped() : this.#refusal;
	}

	/** Adapts to what a failure says of the service. */
	readonly judge: Judge = (failure, before, now, jitter) => {
		const service = this.#service;
		const meaning = meaningOf(failure, before, service, this.#inFlight, now);
		const consequence = CONSEQUENCES[meaning];
		if (consequence.countsAs === 'answer') this.#noteAnswer();
		if (consequence.countsAs === 'failure') this.#service = withFailure(service, before, now);
		if (consequence.pause) this.#pauseAll(failure, consequence, now, jitter);
		if (isDown(this.#service, now)) this.#refuse('the service has answered no request for 90 seconds');
		return { meaning, service };
	};

	#noteAnswer(): void {
		this.#service = withAnswer(this.#service);
		this.#limit.raise();
	}

	/** Lets no request start for a while, or none any more if the service asks for too long a wait. */
	#pauseAll(failure: FailureData, { pause: length, isOneAtATime }: Consequence, now: number, jitter: number): void {
		const { retryAfter } = failure.response ?? {};
		// Once for all requests that were sent before the pause.
		if (this.#pausedUntil === undefined && !this.#refusal) this.#limit.lower(this.#inFlight, isOneAtATime);
		const { first = 0, longest = 0 } = length ?? {};
		const wait = waitAfter(retryAfter, Math.min(first * 2 ** this.#limit.doublings, longest), jitter);
		const isTooLong = retryAfter !== undefined && retryAfter > LONGEST_TOTAL_MS;
		if (isTooLong) this.#refuse(asksToWaitUntil(now + wait), RUN_AGAIN_AFTER_THAT);
		else void this.#pauseUntil(now + wait);
	}

	#refuse(problem: string, advice = 'Run the workflow again later.'): void {
		this.#refusal ??= requestFailure(problem, advice, { outcome: 'not applied' });
		this.#admit();
	}

	/** Of several pauses, the one that ends last counts. */
	async #pauseUntil(time: number): Promise<void> {
		if (this.#refusal || time <= (this.#pausedUntil ?? 0)) return;
		this.#pausedUntil = time;
		await pause(time - Date.now(), this.#options.signal);
		if (this.#pausedUntil === time) this.#pausedUntil = undefined;
		this.#admit();
	}
}
