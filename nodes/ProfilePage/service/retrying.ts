import { Failure, isChange, mayBeRepeated, type Outcome } from '../shared/failure';
import { type Gate, LONGEST_WAIT_MS } from './gate';
import type { ServiceRequest } from './request';
import { type Verdict, verdictOn, VERDICTS } from './verdict';
import { backoff, pause } from './waiting';

/** How often the token of a request, or the request itself, may be rejected without using up Max Retries. */
const MAX_TOKENS = 2;
const MAX_REJECTIONS = 30;

/** How long a request waits before its first retry, in milliseconds; then twice as long each time. */
const FIRST_WAIT_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;

export interface RetryOptions {
	/** Lets all requests wait while the service is busy; without it, each waits for itself. */
	readonly gate?: Gate;
	readonly maxRetries: number;
	/** The longest wait, and how long after the first failure that uses up Max Retries a retry may start, in milliseconds; by default, 90 seconds. */
	readonly maxWait?: number;
	/** Aborts when nothing more may be sent, and ends waits. */
	readonly stopSignal?: AbortSignal;
}

/**
 * Attempts something until it succeeds, as far as it may be repeated. This is the only loop that does so.
 *
 * @param attempt gets the number of the retry: 0 for the first attempt
 * @param request what is attempted; without it, it may be repeated
 * @throws Failure of the last attempt, with what became of all of them; any other error as it is
 */
export async function retrying<T>(
	attempt: (retry: number) => Promise<T>,
	options: RetryOptions,
	request?: ServiceRequest,
): Promise<T> {
	const failed = new FailedAttempts(options, request);
	for (let retry = 0; ; retry += 1) {
		try {
			return await attempt(retry);
		} catch (error) {
			if (!(error instanceof Failure)) throw error as Error;
			// A renewal of the token was repeated already. What was stopped says nothing of the service.
			const isOfRequest = !request || error.data.kind === 'request';
			const verdict = isOfRequest ? (options.gate?.judge(error.data, failed) ?? verdictOn(error.data)) : VERDICTS.final;
			const wait = failed.add(error, verdict);
			if (wait === undefined || options.stopSignal?.aborted) throw failed.giveUp(error, verdict);
			if (wait > 0) await pause(wait, options.stopSignal);
		}
	}
}

/** The failed attempts of a request. */
class FailedAttempts {
	readonly #options: Required<Pick<RetryOptions, 'maxRetries' | 'maxWait'>>;
	readonly #request?: ServiceRequest;
	readonly #used = { attempts: 0, tokens: 0, rejections: 0, retries: 0 };
	/** The last one that was not stopped while it waited. */
	#lastSent?: Failure;
	/** Unknown if it is of any attempt. */
	#outcome: Outcome = 'not applied';
	/** Until when another retry may start, in milliseconds since 1970. */
	#deadline = Infinity;

	constructor({ maxRetries, maxWait = LONGEST_WAIT_MS }: RetryOptions, request?: ServiceRequest) {
		this.#options = { maxRetries, maxWait };
		this.#request = request;
	}

	/** Adds a failed attempt. Returns how long to wait before the next one, in milliseconds; undefined if there must be none. */
	add(failure: Failure, { budget }: Verdict): number | undefined {
		const { kind, outcome, response, attempts = 1 } = failure.data;
		const { maxRetries, maxWait } = this.#options;
		if (kind !== 'stopped') {
			this.#used.attempts += attempts;
			this.#lastSent = failure;
		}
		if (outcome === 'unknown') this.#outcome = outcome;
		const isHarmless = !this.#request || mayBeRepeated(this.#outcome, this.#request);
		if (budget === undefined || !isHarmless) return undefined;
		const allowed = { tokens: MAX_TOKENS, rejections: maxRetries > 0 ? MAX_REJECTIONS : 0, retries: maxRetries };
		this.#used[budget] += 1;
		if (this.#used[budget] > allowed[budget]) return undefined;
		// If it stays 0, the gate says when the next attempt starts.
		let wait = 0;
		if (budget === 'retries') {
			this.#deadline = Math.min(this.#deadline, Date.now() + maxWait);
			wait = response?.retryAfter ?? backoff(FIRST_WAIT_MS, this.#used.retries - 1, LONGEST_BACKOFF_MS);
		}
		return Date.now() + wait > this.#deadline ? undefined : wait;
	}

	/**
	 * Returns the failure of all attempts, by that of the last one: by the one before if that was stopped while it waited,
	 * after a change that may have been made.
	 */
	giveUp(last: Failure, { budget }: Verdict): Failure {
		const isRead = this.#request && !isChange(this.#request);
		const outcome = isRead ? 'not applied' : this.#outcome;
		const failure = outcome === 'unknown' ? (this.#lastSent ?? last) : last;
		return failure.with({
			outcome,
			// Another token is part of the same attempt.
			attempts: this.#used.attempts - this.#used.tokens,
			request: this.#request,
			usesRetries: budget === 'retries',
		});
	}
}
