import { LONGEST_TOTAL_MS } from './waiting';

/** By how much the limit grows each time that as many requests as it allows have succeeded. */
const GROWTH = 0.5;

/**
 * How many requests the service takes at a time, as it shows by rejecting some. Each slow-down halves their number, and
 * each success adds a little.
 */
export class Throttle {
	/** How many requests may be in flight. */
	limit = Infinity;
	/** When the service accepts requests again, if that is too late to wait for it, in milliseconds since 1970. */
	blockedUntil = 0;
	/** When a request succeeded last, in milliseconds since 1970. */
	succeededAt = 0;
	/** When the current slow-down ends. Until then, rejections are of requests sent before, and do not halve the limit again. */
	#slowUntil = 0;
	/** Since when all requests have been rejected; 0 if one has succeeded. */
	#rejectedSince = 0;

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
		const isHopeless = now - this.#rejectedSince > LONGEST_TOTAL_MS;
		if (isHopeless || milliseconds > LONGEST_TOTAL_MS) this.blockedUntil = now + milliseconds;
		// Rounded up: of three in flight, two.
		else if (now >= this.#slowUntil) this.limit = Math.max(1, Math.min(this.limit, inFlight + 1) / 2);
		this.#slowUntil = Math.max(this.#slowUntil, now + milliseconds);
	}
}
