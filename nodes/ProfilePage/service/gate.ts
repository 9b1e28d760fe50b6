import { Failure, STOPPED, toFailure } from './failure';
import { FIRST_WAIT_MS, waitAfter } from './retry';
import { LONGEST_TOTAL_MS, pause } from './waiting';
import { asksToWaitUntil } from './words';

/** How many requests may be in flight at first. */
const FIRST_LIMIT = 10;
/** How many requests start in one turn of the event loop. If it were all, none would be on its way until all are prepared. */
const STARTS_PER_TURN = 8;
/** A service that has accepted no request for so long, in milliseconds, is down. Until then, it may have a rate limit. */
const DOWN_AFTER_MS = 3000;
/** After so many pauses in a row, each after a single request was rejected, others go first: they may be accepted. */
const MAX_PAUSES_IN_ORDER = 6;

/** How many requests start in each interval, if there is one. */
export interface Batching {
	readonly batchSize: number;
	/** In milliseconds; 0 if there is none. */
	readonly batchInterval: number;
}

/** What the responses of a service have shown of it. */
interface ServiceState {
	hasAccepted: boolean;
	/** Since when it has rejected all requests, in milliseconds since 1970; undefined if it accepts them. */
	rejectsSince?: number;
	/** How many pauses in a row have left room for one request at a time. Each is twice as long as the one before. */
	pausesAtOne: number;
	/** Whether there was a pause: then the limit grows slowly. */
	hasPaused: boolean;
}

/**
 * Says when the requests of a node may start. Each response lets one more be in flight, until the service rejects some.
 * Then all pause, those that were rejected go first, and half as many may be in flight, which grows slowly.
 */
export class Gate {
	readonly #options: Batching & { readonly signal?: AbortSignal };
	/** How to start each request that waits. */
	readonly #waiting: Array<() => void> = [];
	#inFlight = 0;
	/** How many may be in flight, if the batch is not smaller. It grows by fractions. */
	#limit = FIRST_LIMIT;
	readonly #service: ServiceState = { hasAccepted: false, pausesAtOne: 0, hasPaused: false };
	/** Until when no request starts, in milliseconds since 1970, or why none is sent any more. */
	#closed: { until: number; readonly refusal?: Failure } = { until: 0 };

	/** @param options `signal` aborts when nothing more may be sent */
	constructor(options: Batching & { readonly signal?: AbortSignal }) {
		this.#options = options;
	}

	/** About how many concurrent requests the service accepts; undefined if it has not asked to slow down. */
	get concurrencyLimit(): number | undefined {
		return this.#service.hasPaused ? this.#places : undefined;
	}

	/**
	 * Sends a request when it may start; retries go first.
	 *
	 * @throws Failure of `send`, with what it means for the next attempt, or why the request may not be sent
	 */
	async pass<T>(isRetry: boolean, send: () => Promise<T>): Promise<T> {
		await new Promise<void>((start) => {
			this.#waiting[isRetry ? 'unshift' : 'push'](start);
			this.#admit();
		});
		const { batchInterval, signal } = this.#options;
		// A request keeps its place for the whole interval, so that no more than a batch start in each.
		const interval = batchInterval > 0 ? pause(batchInterval, signal) : undefined;
		let isSuccess = false;
		try {
			if (this.#refusal) throw this.#refusal;
			const result = await send();
			isSuccess = true;
			this.#accept();
			return result;
		} catch (error) {
			throw this.#judge(toFailure(error));
		} finally {
			void this.#leave(isSuccess, interval);
		}
	}

	/** Slows all requests down if the service is overloaded (RFC 6585, section 4), and returns the failure with its next attempt. */
	#judge(failure: Failure): Failure {
		const { kind, passes, response: { status, retryAfter } = {} } = failure.data;
		// Such as a 404: whatever it says, the service is not overloaded.
		if (kind === 'request' && status !== undefined && passes === undefined) this.#accept();
		const asksToWait = status === 429 || retryAfter !== undefined;
		if (passes !== 'soon' || !(asksToWait || status === 503)) return failure;
		const service = this.#service;
		const isFirst = service.rejectsSince === undefined;
		service.rejectsSince ??= Date.now();
		// It may be the failure of this request alone, unless another one fails before any succeeds.
		const isLone = service.hasAccepted && isFirst && !asksToWait;
		if (isLone) return failure.with({ nextAttempt: { isHeldBack: false, isFree: true } });
		const rejectedFor = Date.now() - service.rejectsSince;
		const isFree = status === 429 || (service.hasAccepted && rejectedFor < DOWN_AFTER_MS);
		this.#slowDown(isFree, status === 429 ? FIRST_WAIT_MS : FIRST_WAIT_MS / 2, retryAfter);
		if (rejectedFor > LONGEST_TOTAL_MS) this.#refuse('the service has rejected all requests for 90 seconds');
		return failure.with({ nextAttempt: { isHeldBack: true, isFree } });
	}

	/** Lets more requests be in flight: the service has dealt with one. */
	#accept(): void {
		const service = this.#service;
		this.#limit += service.hasPaused ? 0.5 / this.#limit : 1;
		Object.assign(service, { hasAccepted: true, rejectsSince: undefined, pausesAtOne: 0 });
	}

	/** Pauses all requests, and lets fewer be in flight: half as many, or one if the service is down. */
	#slowDown(isFree: boolean, firstWait: number, retryAfter?: number): void {
		const service = this.#service;
		// Once for all requests that were sent before the pause.
		if (this.#closed.until === 0) {
			const most = isFree ? Math.min(this.#limit, this.#inFlight + 1) / 2 : 1;
			service.pausesAtOne = Math.min(this.#limit, most) <= 1 ? service.pausesAtOne + 1 : 0;
			this.#limit = Math.max(1, Math.min(this.#limit, most));
			service.hasPaused = true;
		}
		const wait = waitAfter(retryAfter, firstWait * 2 ** service.pausesAtOne);
		const isTooLong = retryAfter !== undefined && retryAfter > LONGEST_TOTAL_MS;
		if (isTooLong) this.#refuse(asksToWaitUntil(Date.now() + wait), 'Run the workflow again after that.');
		else void this.#close(wait);
	}

	/** Refuses all requests from now on. */
	#refuse(problem: string, advice = 'Run the workflow again later.'): void {
		const refusal = new Failure({ outcome: 'not applied', kind: 'request', problem, advice });
		this.#closed = { until: Infinity, refusal };
		this.#admit();
	}

	/** Lets no request start for a while. Of several pauses, the one that ends last counts. */
	async #close(milliseconds: number): Promise<void> {
		const closed = { until: Date.now() + milliseconds };
		if (this.#closed.until >= closed.until) return;
		this.#closed = closed;
		await pause(milliseconds, this.#options.signal);
		closed.until = 0;
		this.#admit();
	}

	/** How many requests may be in flight. */
	get #places(): number {
		return Math.min(Math.floor(this.#limit), this.#options.batchSize);
	}

	get #refusal(): Failure | undefined {
		return this.#options.signal?.aborted ? STOPPED : this.#closed.refusal;
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
		const room = this.#closed.until > 0 ? 0 : Math.min(Math.max(0, this.#places - this.#inFlight), STARTS_PER_TURN);
		const most = this.#refusal ? this.#waiting.length : room;
		const isStuck = this.#service.pausesAtOne >= MAX_PAUSES_IN_ORDER;
		const started = this.#waiting.splice(isStuck ? -most : 0, most);
		this.#inFlight += started.length;
		for (const start of started) start();
		if (started.length === STARTS_PER_TURN) void pause(0).then(() => this.#admit());
	}
}
