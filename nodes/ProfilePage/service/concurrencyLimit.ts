const FIRST_LIMIT = 10;

/**
 * How many requests may be in flight. It grows by one with each answer, until the service asks for a pause. Each pause
 * halves it, and then it grows slowly.
 */
export class ConcurrencyLimit {
	/** It grows by fractions after a pause. */
	#limit = FIRST_LIMIT;
	/** How many pauses in a row have left room for one request at a time; undefined if there was no pause yet. */
	#pausesAtOne?: number;

	/** A whole number. */
	get value(): number {
		return Math.floor(this.#limit);
	}

	get wasLowered(): boolean {
		return this.#pausesAtOne !== undefined;
	}

	/** How often a pause is to be twice as long as the first one. */
	get doublings(): number {
		return this.#pausesAtOne ?? 0;
	}

	/** Adapts to an answer. */
	raise(): void {
		this.#limit += this.wasLowered ? 0.5 / this.#limit : 1;
		if (this.#pausesAtOne) this.#pausesAtOne = 0;
	}

	/** Adapts to a pause. `inFlight` is how many requests were when it began. */
	lower(inFlight: number, toOne = false): void {
		this.#limit = toOne ? 1 : Math.max(1, Math.min(this.#limit, inFlight + 1) / 2);
		this.#pausesAtOne = this.#limit === 1 ? this.doublings + 1 : 0;
	}
}
