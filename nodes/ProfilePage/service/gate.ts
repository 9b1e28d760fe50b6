import { type Failure, type FailureData, requestFailure, stopped } from '../shared/failure';
import { asksToWaitUntil } from './reasons';
import { backoff, pause } from './waiting';

/** Nothing is waited for longer than that, in milliseconds. */
export const LONGEST_WAIT_MS = 90_000;

const FIRST_LIMIT = 10;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8000;

/** After so long without an answer, in milliseconds, no request starts any more. It is longer than any wait. */
const LONGEST_SILENCE_MS = 100_000;

export interface GateOptions {
	/** The maximum number of concurrent requests. */
	readonly concurrency: number;
	/** Aborts when nothing more may be sent, and ends waits. */
	readonly stopSignal?: AbortSignal;
}

/**
 * Decides when each request of a try starts. Each answer lets one more be in flight. When the service is busy, all pause,
 * and then half as many may be in flight, which grows slowly. After a long time without an answer, all are refused.
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
	/** How many pauses go on. Requests start after the last of them. */
	#pauses = 0;
	/** When the first request failed since the last answer, in milliseconds since 1970. */
	#failingSince?: number;
	/** Why no request starts any more. */
	#refusal?: Failure;

	constructor(options: GateOptions) {
		this.#options = options;
	}

	/**
	 * Attempts a request once there is room for it: first come, first served. If it fails, `noteFailure` must be told.
	 *
	 * @throws Failure of the attempt, or if no request starts any more
	 */
	async enter<T>(attempt: () => Promise<T>): Promise<T> {
		await new Promise<void>((start) => {
			this.#waiting.push(start);
			this.#admit();
		});
		try {
			const refusal = this.#findRefusal();
			if (refusal) throw refusal;
			const result = await attempt();
			this.#noteAnswer();
			return result;
		} finally {
			void this.#leave();
		}
	}

	/** Notes why an attempt failed. Returns whether the service is busy, so that the next attempt only waits for its turn. */
	noteFailure(failure: FailureData): boolean {
		const { kind, isTransient, response } = failure;
		if (kind !== 'request') return false;
		// A rejection for good, such as a 404, is an answer too.
		if (!isTransient && response && response.status < 500) this.#noteAnswer();
		if (!isTransient) return false;
		const now = Date.now();
		this.#failingSince ??= now;
		const wait = response?.retryAfter ?? 0;
		const isBusy = wait > 0 || response?.status === 429 || response?.status === 503;
		if (wait > LONGEST_WAIT_MS) this.#refusal ??= notSent(asksToWaitUntil(now + wait));
		else if (now - this.#failingSince > LONGEST_SILENCE_MS) this.#refusal ??= notSent(SILENCE);
		else if (isBusy) this.#slowDown(wait);
		return isBusy;
	}

	/** Lets waiting requests start while there is room; all of them, to be refused, if none may be sent any more. */
	#admit(): void {
		const limit = Math.min(Math.floor(this.#limit), this.#options.concurrency);
		const isRoom = () => this.#pauses === 0 && this.#inFlight < limit;
		while (this.#waiting.length > 0 && (this.#findRefusal() || isRoom())) {
			this.#inFlight += 1;
			this.#waiting.shift()?.();
		}
	}

	async #leave(): Promise<void> {
		// A moment later: if the failure of this request ends the node, no other one may start before.
		await pause(0);
		this.#inFlight -= 1;
		this.#admit();
	}

	#findRefusal(): Failure | undefined {
		return this.#options.stopSignal?.aborted ? stopped() : this.#refusal;
	}

	#noteAnswer(): void {
		this.#failingSince = undefined;
		this.#doublings = Math.max(0, this.#doublings - 1);
		this.#limit += this.#wasBusy ? 0.5 / this.#limit : 1;
	}

	/** Lets all requests pause. In a pause, a request that was sent before it may fail as well: that only counts if the service asks for a wait. */
	#slowDown(wait: number): void {
		if (this.#pauses > 0) {
			if (wait > 0) void this.#pause(wait);
			return;
		}
		void this.#pause(wait || backoff(FIRST_PAUSE_MS, this.#doublings, LONGEST_PAUSE_MS));
		this.#wasBusy = true;
		this.#doublings += 1;
		this.#limit = Math.max(1, Math.min(this.#limit, this.#inFlight + 1) / 2);
	}

	async #pause(milliseconds: number): Promise<void> {
		this.#pauses += 1;
		await pause(milliseconds, this.#options.stopSignal);
		this.#pauses -= 1;
		this.#admit();
	}
}

const SILENCE = `the service has accepted no request for ${LONGEST_SILENCE_MS / 1000} seconds`;

/** Returns the failure of a request that is not sent. */
function notSent(problem: string): Failure {
	return requestFailure(problem, undefined, { outcome: 'not applied', attempts: 0 });
}
