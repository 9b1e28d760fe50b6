import { Failure, type FailureData, requestFailure, STOPPED } from './failure';
import {
	CONSEQUENCES,
	decide,
	type History,
	type Limits,
	LONGEST_TOTAL_MS,
	meaningOf,
	type ServiceState,
	UNTRIED,
	waitAfter,
} from './policy';
import { isChange, type ServiceRequest } from './request';
import { pause } from './waiting';
import { asksToWaitUntil, sentence } from './words';

const FIRST_LIMIT = 10;
/** After so many pauses in a row, others go first than those that were rejected: they may be accepted. */
const MAX_PAUSES_IN_ORDER = 6;

const RUN_AGAIN_AFTER_THAT = 'Run the workflow again after that.';

/** How requests are sent, and sent again. */
export interface SendOptions extends Omit<Limits, 'idempotent'> {
	/** Aborts when nothing more may be sent, and ends waits. */
	readonly signal?: AbortSignal;
	/** The maximum number of concurrent requests; without it, there is one, and its failures mean nothing for others. */
	readonly batchSize?: number;
	/** How long a request keeps its place at least, in milliseconds; by default, until it has ended. */
	readonly batchInterval?: number;
}

/**
 * Sends requests, and again after some failures: the only place that decides when a request starts. Each response lets one
 * more be in flight, until the service rejects some. Then all pause, those that were rejected go first, and half as many
 * may be in flight, which grows slowly.
 */
export class Sender {
	readonly #options: SendOptions;
	/** How to start each request that waits. */
	readonly #waiting: Array<() => void> = [];
	#inFlight = 0;
	readonly #service: ServiceState = { hasAccepted: false, limit: FIRST_LIMIT, pausesAtOne: 0, hasPaused: false };
	/** When the pause of all requests ends, in milliseconds since 1970; undefined if they may start. */
	#pausedUntil?: number;
	#refusal?: Failure;

	constructor(options: SendOptions) {
		this.#options = options;
	}

	/** About how many concurrent requests the service accepts; undefined if it has not asked to slow down. */
	get concurrencyLimit(): number | undefined {
		return this.#service.hasPaused ? this.#places : undefined;
	}

	get #places(): number {
		return Math.min(Math.floor(this.#service.limit), this.#options.batchSize ?? 1);
	}

	/**
	 * Attempts a request until it succeeds, as far as it may be repeated.
	 *
	 * @param request without it, it may be repeated
	 * @throws Failure of the last attempt, with what became of all of them and what the request was for; any other error
	 *   as it is
	 */
	async send<T>(attempt: () => Promise<T>, request?: ServiceRequest): Promise<T> {
		const { signal } = this.#options;
		const limits = { ...this.#options, idempotent: request?.idempotent ?? true };
		for (let history = UNTRIED; ;) {
			try {
				return await this.#start(attempt, history.attempts > 0);
			} catch (error) {
				if (!(error instanceof Failure)) throw error as Error;
				history = this.#judge(error.data, history, limits);
				if (history.wait === undefined || signal?.aborted) throw givenUp(error.data, history, request);
				if (history.wait > 0) await pause(history.wait, signal);
			}
		}
	}

	/** Starts an attempt when there is room for it; retries go first. */
	async #start<T>(attempt: () => Promise<T>, isRetry: boolean): Promise<T> {
		await new Promise<void>((start) => {
			this.#waiting[isRetry ? 'unshift' : 'push'](start);
			this.#admit();
		});
		const { batchInterval = 0, signal } = this.#options;
		const interval = batchInterval > 0 ? pause(batchInterval, signal) : undefined;
		let isSuccess = false;
		try {
			const refusal = this.#findRefusal();
			if (refusal) throw refusal;
			const result = await attempt();
			isSuccess = true;
			this.#accept();
			return result;
		} finally {
			void this.#leave(isSuccess, interval);
		}
	}

	/** Frees the place of a request: after a failure one turn later, so that it can end the node before another one starts. */
	async #leave(isSuccess: boolean, interval?: Promise<void>): Promise<void> {
		if (!isSuccess) await pause(0);
		await interval;
		this.#inFlight -= 1;
		this.#admit();
	}

	/** Lets waiting requests start while there is room; all of them, to be refused, if none may be sent any more. */
	#admit(): void {
		const room = this.#pausedUntil === undefined ? Math.max(0, this.#places - this.#inFlight) : 0;
		const count = this.#findRefusal() ? this.#waiting.length : room;
		const started = this.#waiting.splice(this.#service.pausesAtOne < MAX_PAUSES_IN_ORDER ? 0 : -count, count);
		this.#inFlight += started.length;
		for (const start of started) start();
	}

	#findRefusal(): Failure | undefined {
		return this.#options.signal?.aborted ? STOPPED : this.#refusal;
	}

	/** Adapts to what a failure says of the service, and decides whether the request is attempted again. */
	#judge(data: FailureData, before: History, limits: Limits): History {
		const now = Date.now();
		// Requests that failed together should not be repeated together.
		const jitter = Math.random() / 2;
		const meaning = this.#options.batchSize === undefined ? 'own' : meaningOf(data, this.#service, now);
		if (meaning === 'dealt with') this.#accept();
		else if (meaning !== 'own') this.#service.rejectsSince ??= now;
		const { pause: backoff } = CONSEQUENCES[meaning];
		if (backoff) this.#pauseAll(data, meaning === 'down', backoff, jitter);
		return decide(data, meaning, before, limits, now, jitter);
	}

	/** Lets more requests be in flight: the service has dealt with one. */
	#accept(): void {
		const service = this.#service;
		service.limit += service.hasPaused ? 0.5 / service.limit : 1;
		Object.assign(service, { hasAccepted: true, rejectsSince: undefined, pausesAtOne: 0 });
	}

	/** Lets no request start for a while, or none any more if that takes too long. */
	#pauseAll({ response: { retryAfter } = {} }: FailureData, isDown: boolean, backoff: number, jitter: number): void {
		const now = Date.now();
		const service = this.#service;
		// Once for all requests that were sent before the pause.
		if (this.#pausedUntil === undefined && !this.#refusal) {
			service.limit = isDown ? 1 : Math.max(1, Math.min(service.limit, this.#inFlight + 1) / 2);
			service.pausesAtOne = service.limit === 1 ? service.pausesAtOne + 1 : 0;
			service.hasPaused = true;
		}
		const wait = waitAfter(retryAfter, backoff * 2 ** service.pausesAtOne, jitter);
		const rejectedFor = now - (service.rejectsSince ?? now);
		if (retryAfter && retryAfter > LONGEST_TOTAL_MS) this.#refuse(asksToWaitUntil(now + wait), RUN_AGAIN_AFTER_THAT);
		else if (rejectedFor > LONGEST_TOTAL_MS) this.#refuse('the service has rejected all requests for 90 seconds');
		else void this.#pauseUntil(now + wait);
	}

	#refuse(problem: string, advice = 'Run the workflow again later.'): void {
		this.#refusal = requestFailure(problem, advice, { outcome: 'not applied' });
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

function givenUp(last: FailureData, { attempts, outcome, tooLong }: History, request?: ServiceRequest): Failure {
	// What only reads has changed nothing, unless the execution was stopped meanwhile.
	const changedNothing = request && !isChange(request) && last.kind !== 'stopped';
	const data: FailureData = {
		...last,
		outcome: changedNothing ? 'not applied' : outcome,
		...(attempts > 1 && { attempts }),
		...(tooLong && { advice: `${sentence(asksToWaitUntil(Date.now() + tooLong))} ${RUN_AGAIN_AFTER_THAT}` }),
	};
	return new Failure(data, request);
}
