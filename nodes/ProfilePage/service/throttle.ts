import type { Failure } from './failure';
import { LONGEST_TOTAL_MS } from './waiting';
import { asksToWaitUntil } from './words';

/** By how much the limit grows each time that as many requests as it allows have succeeded. */
const GROWTH = 0.5;

/** After how long without a success the rejected requests no longer go first. */
const STUCK_MS = 10_000;

const GIVEN_UP: Failure = {
	outcome: 'not applied',
	kind: 'request',
	problem: 'the service has rejected all requests for 90 seconds',
	advice: 'Run the workflow again later.',
	attempts: 0,
};

function asksToWait(until: number): Failure {
	return { ...GIVEN_UP, problem: asksToWaitUntil(until), advice: 'Run the workflow again after that.' };
}

/**
 * How many requests the service takes at a time, as it shows by rejecting some. Each slow-down halves their number, and
 * each success adds a little.
 */
export class Throttle {
	/** How many requests may be in flight. */
	limit = Infinity;
	/** When a request succeeded last, in milliseconds since 1970. */
	succeededAt = 0;
	/** When the current slow-down ends. Until then, rejections are of requests sent before, and do not halve the limit again. */
	#slowUntil = 0;
	/** Since when all requests have been rejected; 0 if one has succeeded. */
	#rejectedSince = 0;
	/** Until when no request is sent, as none can wait as long, and why. */
	#blocked: { until: number; failure: Failure } = { until: 0, failure: GIVEN_UP };

	/** Returns why no request is sent at present; undefined if they are. */
	get refusal(): Failure | undefined {
		return this.#blocked.until > Date.now() ? this.#blocked.failure : undefined;
	}

	/** Whether all requests have been rejected for a while. */
	get isStuck(): boolean {
		return this.#rejectedSince > 0 && Date.now() - this.#rejectedSince > STUCK_MS;
	}

	succeeded(): void {
		this.succeededAt = Date.now();
		this.#rejectedSince = 0;
		if (Date.now() >= this.#slowUntil) this.limit += GROWTH / this.limit;
	}

	/**
	 * Notes that the service asks to wait. Half as many requests may be in flight from now on.
	 *
	 * @param inFlight how many requests are in flight, with the one that it rejected
	 */
	slowDown(milliseconds: number, inFlight: number): void {
		const now = Date.now();
		this.#rejectedSince ||= now;
		const until = now + milliseconds;
		if (milliseconds > LONGEST_TOTAL_MS) this.#blocked = { until, failure: asksToWait(until) };
		else if (now - this.#rejectedSince > LONGEST_TOTAL_MS) this.#blocked = { until, failure: GIVEN_UP };
		// Rounded up: of three in flight, two.
		else if (now >= this.#slowUntil) this.limit = Math.max(1, Math.min(this.limit, inFlight + 1) / 2);
		this.#slowUntil = Math.max(this.#slowUntil, until);
	}
}
