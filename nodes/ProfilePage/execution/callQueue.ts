/** What the queue needs to know of a call. */
export interface Queued {
	/** Calls with the same target are never under way together. */
	readonly target?: string;
}

/** Hands out calls in their order, but one only of those that have the same target. */
export class CallQueue<T extends Queued> {
	#position = 0;
	/** The calls that wait for the one that is under way, by its target. */
	readonly #heldBack = new Map<string, T[]>();

	constructor(private readonly calls: readonly T[]) {}

	/**
	 * @param finished the call that the asking one has finished
	 * @returns the next call that may be sent; undefined if there is none for the asking one
	 */
	next(finished?: T): T | undefined {
		const released = finished && this.#release(finished);
		if (released) return released;
		while (this.#position < this.calls.length) {
			const call = this.calls[this.#position++];
			if (call && !this.#holdBack(call)) return call;
		}
		return undefined;
	}

	#holdBack(call: T): boolean {
		if (call.target === undefined) return false;
		const waiting = this.#heldBack.get(call.target);
		if (waiting) waiting.push(call);
		else this.#heldBack.set(call.target, []);
		return waiting !== undefined;
	}

	#release({ target }: T): T | undefined {
		if (target === undefined) return undefined;
		const next = this.#heldBack.get(target)?.shift();
		if (!next) this.#heldBack.delete(target);
		return next;
	}
}
