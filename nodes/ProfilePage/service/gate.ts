import { Failure, type FailureData, requestFailure } from '../shared/failure';
import { asksToWaitUntil } from './reasons';
import { jittered, pause } from './waiting';

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
	/** Ends pauses when it aborts. What starts then must not send anything. */
	readonly stopSignal?: AbortSignal;
}

/** Whether a service rejects a request because it gets too many: then all requests wait, not only this one. */
export function isBusy({ response }: FailureData): boolean {
	return response !== undefined && (response.retryAfter !== undefined || [429, 503].includes(response.status));
}

/**
 * Decides when each request of a try starts. Each answer lets one more be in flight. When the service is busy, all pause,
 * and then half as many may be in flight, which grows slowly. After a long time without an answer, all are refused.
 */
export class Gate {
	readonly #options: GateOptions;
	/** Starts the requests that wait, the first one first. */
	readonly #waiting: Array<() => void> = [];
	#inFlight = 0;
	/** How many may be in flight. After the first pause, it grows by fractions. */
	#limit = FIRST_LIMIT;
	#hasPaused = false;
	/** How long the next pause is, in milliseconds: each pause doubles it, each answer halves it. */
	#nextPause = FIRST_PAUSE_MS;
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
	 * Attempts a request once there is room for it: first come, first served.
	 *
	 * @throws Failure of the attempt, or if no request starts any more
	 */
	async enter<T>(attempt: () => Promise<T>): Promise<T> {
		await new Promise<void>((start) => {
			this.#waiting.push(start);
			this.#admit();
		});
		try {
			if (this.#refusal) throw this.#refusal;
			const result = await attempt();
			this.#noteAnswer();
			this.#leave();
			return result;
		} catch (error) {
			if (error instanceof Failure) this.#noteFailure(error.data);
			// A moment later: if this failure ends the node, no other request may start before.
			void pause(0).then(() => this.#leave());
			throw error as Error;
		}
	}

	/** Lets waiting requests start while there is room; all of them, if they are refused. */
	#admit(): void {
		const limit = Math.min(Math.floor(this.#limit), this.#options.concurrency);
		const isRoom = () => this.#pauses === 0 && this.#inFlight < limit;
		while (this.#waiting.length > 0 && (this.#refusal || isRoom())) {
			this.#inFlight += 1;
			this.#waiting.shift()?.();
		}
	}

	#leave(): void {
		this.#inFlight -= 1;
		this.#admit();
	}

	#noteAnswer(): void {
		this.#failingSince = undefined;
		this.#nextPause = Math.max(FIRST_PAUSE_MS, this.#nextPause / 2);
		this.#limit += this.#hasPaused ? 0.5 / this.#limit : 1;
	}

	#noteFailure(failure: FailureData): void {
		const { kind, isTransient, response } = failure;
		if (kind !== 'request') return;
		// A rejection for good, such as a 404, is an answer too.
		if (!isTransient && response && response.status < 500) this.#noteAnswer();
		if (!isTransient) return;
		const now = Date.now();
		this.#failingSince ??= now;
		const wait = response?.retryAfter ?? 0;
		if (wait > LONGEST_WAIT_MS) this.#refusal ??= notSent(asksToWaitUntil(now + wait));
		else if (now - this.#failingSince > LONGEST_SILENCE_MS) this.#refusal ??= notSent(SILENCE);
		else if (isBusy(failure)) this.#slowDown(wait);
	}

	/**
	 * Lets all requests pause, and halves how many may be in flight. If ten that are in flight are rejected together, this is
	 * done once: the other nine only make the pause longer, if the service asks for that.
	 *
	 * @param wait that the service asks for, in milliseconds; 0 if it asks for none
	 */
	#slowDown(wait: number): void {
		const isFirst = this.#pauses === 0;
		if (isFirst || wait > 0) void this.#pause(wait || jittered(this.#nextPause));
		if (!isFirst) return;
		this.#hasPaused = true;
		this.#nextPause = Math.min(2 * this.#nextPause, LONGEST_PAUSE_MS);
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
