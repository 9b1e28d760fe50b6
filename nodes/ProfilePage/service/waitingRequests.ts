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
	 * Removes the next request, and returns how to start it; undefined if none waits. Those that were rejected go first.
	 *
	 * @param isStuck whether the service rejects them all the time: then it may accept others
	 */
	takeNext(isStuck: boolean): Start | undefined {
		const [first, second] = isStuck ? [this.#others, this.#rejected] : [this.#rejected, this.#others];
		return first.shift() ?? second.shift();
	}
}
