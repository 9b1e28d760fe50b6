type Start = () => void;

/** The requests of an account that wait for their turn. */
export class WaitingRequests {
	readonly #rejected: Start[] = [];
	readonly #others: Start[] = [];

	/** @param wasRejected whether the service has rejected it before */
	add(wasRejected: boolean, start: Start): void {
		(wasRejected ? this.#rejected : this.#others).push(start);
	}

	/**
	 * Removes the next requests, at most so many, and returns how to start each. Those that were rejected go first.
	 *
	 * @param isStuck whether the service rejects them all the time: then it may accept others
	 */
	take(most: number, isStuck: boolean): Start[] {
		const [first, second] = isStuck ? [this.#others, this.#rejected] : [this.#rejected, this.#others];
		const taken = first.splice(0, most);
		return [...taken, ...second.splice(0, most - taken.length)];
	}
}
