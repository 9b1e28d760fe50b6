import { type Failure, type FailureData, requestFailure, stopped } from '../shared/failure';
import { asksToWaitUntil } from './reasons';
import { type Verdict, verdictOn, VERDICTS } from './verdict';
import { backoff, pause } from './waiting';

/** Nothing is waited for longer than that, in milliseconds. */
export const LONGEST_WAIT_MS = 90_000;

const FIRST_LIMIT = 10;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8000;

/** After a service has answered nothing for that long, in milliseconds, nothing is repeated. It is longer than any wait. */
const LONGEST_SILENCE_MS = 100_000;

/** How many requests must have failed before all are refused: fewer may each be rejected for themselves. */
const FEWEST_FAILED = 5;

export interface GateOptions {
	/** The maximum number of concurrent requests. */
	readonly batchSize: number;
	/** How long a request keeps its place at least, in milliseconds; by default, until it has ended. */
	readonly batchInterval?: number;
	/** Aborts when nothing more may be sent, and ends waits. */
	readonly stopSignal?: AbortSignal;
}

/**
 * Decides when each request of a try starts. Each answer lets one more be in flight, until the service is busy. Then all
 * pause, and half as many may be in flight, which grows slowly. If the service stays silent, none may start any more.
 */
export class Gate {
	readonly #options: GateOptions;
	/** How to start each request that waits. */
	readonly #waiting: Array<() => void> = [];
	#inFlight = 0;
	/** How many may be in flight. It grows by fractions after a pause. */
	#limit = FIRST_LIMIT;
	#wasBusy = false;
	/** How often the next pause is twice as long. Each pause adds one, each answer takes one away. */
	#doublings = 0;
	/** When the pause of all requests ends, in milliseconds since 1970; undefined if they may start. */
	#pausedUntil?: number;
	/** The requests that have failed since the last answer, and when the first of them did, in milliseconds since 1970. */
	#failing?: { readonly since: number; readonly requests: Set<unknown> };
	#refusal?: Failure;

	constructor(options: GateOptions) {
		this.#options = options;
	}

	/**
	 * Starts an attempt when there is room for it: first come, first served. The first retry of a request goes before the
	 * others, later ones behind them: what is always rejected must hold up none.
	 *
	 * @param retry the number of the retry; 0 for the first attempt
	 * @param ensureToken is awaited before, once there is room
	 * @throws Failure if nothing more may be sent
	 */
	async enter<T>(retry: number, ensureToken: () => Promise<void>, attempt: () => Promise<T>): Promise<T> {
		await new Promise<void>((start) => {
			this.#waiting[retry === 1 ? 'unshift' : 'push'](start);
			this.#admit();
		});
		let interval: Promise<void> | undefined;
		try {
			this.#checkRefusal();
			await ensureToken();
			// A pause may have begun meanwhile.
			while (this.#pausedUntil) await pause(this.#pausedUntil - Date.now(), this.#options.stopSignal);
			this.#checkRefusal();
			interval = this.#startInterval();
			const result = await attempt();
			this.#noteAnswer();
			void this.#leave(interval);
			return result;
		} catch (error) {
			// A moment later: if this failure ends the node, no other request may start before.
			void this.#leave(interval ?? this.#startInterval(), pause(0));
			throw error as Error;
		}
	}

	async #startInterval(): Promise<void> {
		const { batchInterval = 0, stopSignal } = this.#options;
		if (batchInterval > 0) await pause(batchInterval, stopSignal);
	}

	async #leave(...waits: Array<Promise<void>>): Promise<void> {
		await Promise.all(waits);
		this.#inFlight -= 1;
		this.#admit();
	}

	/** Lets waiting requests start while there is room; all of them, to be refused, if none may be sent any more. */
	#admit(): void {
		const limit = Math.min(Math.floor(this.#limit), this.#options.batchSize);
		const isRoom = () => this.#pausedUntil === undefined && this.#inFlight < limit;
		while (this.#waiting.length > 0 && (this.#findRefusal() || isRoom())) {
			this.#inFlight += 1;
			this.#waiting.shift()?.();
		}
	}

	#findRefusal(): Failure | undefined {
		return this.#options.stopSignal?.aborted ? stopped() : this.#refusal;
	}

	#checkRefusal(): void {
		const refusal = this.#findRefusal();
		if (refusal) throw refusal;
	}

	/**
	 * Adapts to the failure of an attempt. Returns what it means for its request.
	 *
	 * @param request any object that stands for its request: the same for all its attempts
	 */
	judge(failure: FailureData, request: unknown): Verdict {
		const verdict = verdictOn(failure, this.#failing ? 'failing' : 'answering');
		const { retryAfter } = failure.response ?? {};
		if (verdict.service === 'answers') this.#noteAnswer();
		if (verdict.service === 'fails' || verdict.service === 'is busy') this.#noteFailure(request);
		if (verdict.service === 'is busy' && !this.#isSilent) this.#slowDown(retryAfter);
		return this.#refusal || this.#isSilent ? VERDICTS.final : verdict;
	}

	#noteAnswer(): void {
		this.#failing = undefined;
		this.#doublings = Math.max(0, this.#doublings - 1);
		this.#limit += this.#wasBusy ? 0.5 / this.#limit : 1;
	}

	#noteFailure(request: unknown): void {
		this.#failing ??= { since: Date.now(), requests: new Set() };
		this.#failing.requests.add(request);
		if (this.#isSilent && this.#failing.requests.size >= FEWEST_FAILED) this.#refuse();
	}

	/** Whether the service has accepted no request for so long that none is repeated. */
	get #isSilent(): boolean {
		return this.#failing !== undefined && Date.now() - this.#failing.since > LONGEST_SILENCE_MS;
	}

	/** Lets all requests wait. Those that were sent before and fail meanwhile only matter if the service asks for a longer wait. */
	#slowDown(retryAfter?: number): void {
		if (retryAfter !== undefined && retryAfter > LONGEST_WAIT_MS) {
			this.#refuse(Date.now() + retryAfter);
			return;
		}
		const isPaused = this.#pausedUntil !== undefined;
		if (retryAfter !== undefined) void this.#pause(retryAfter + Math.random() * FIRST_PAUSE_MS);
		else if (!isPaused) void this.#pause(backoff(FIRST_PAUSE_MS, this.#doublings, LONGEST_PAUSE_MS));
		if (isPaused) return;
		this.#wasBusy = true;
		this.#doublings += 1;
		this.#limit = Math.max(1, Math.min(this.#limit, this.#inFlight + 1) / 2);
	}

	/** Of several pauses, the one that ends last counts. */
	async #pause(milliseconds: number): Promise<void> {
		const end = Date.now() + milliseconds;
		if (end <= (this.#pausedUntil ?? 0)) return;
		this.#pausedUntil = end;
		await pause(milliseconds, this.#options.stopSignal);
		if (this.#pausedUntil === end) this.#pausedUntil = undefined;
		this.#admit();
	}

	/** Refuses all requests that have not started: as the service is silent, or asks to wait until a time. */
	#refuse(until?: number): void {
		this.#refusal ??= refusal(until);
		this.#admit();
	}
}

/**
 * Returns the failure of a request that is not sent.
 *
 * @param until when the wait ends that the service asks for, in milliseconds since 1970; undefined if it has answered nothing
 */
function refusal(until?: number): Failure {
	const silence = `the service has accepted no request for ${LONGEST_SILENCE_MS / 1000} seconds`;
	const problem = until === undefined ? silence : asksToWaitUntil(until);
	return requestFailure(problem, undefined, { outcome: 'not applied', attempts: 0 });
}
