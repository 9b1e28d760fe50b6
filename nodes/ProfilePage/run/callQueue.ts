/** A call in the order of the input, and the next one with the same key. */
interface WaitingCall {
	readonly position: number;
	readonly start: () => void;
	next?: WaitingCall;
}

/** Runs a number of calls at a time, in the order of the input. One whose key is in use waits without taking a place. */
export class CallQueue {
	/**
	 * The calls that wait for a place alone, and not for another call. The first `#started` of them have got one: they stay,
	 * as it takes long to remove the first element of a long array.
	 */
	readonly #ready: WaitingCall[] = [];
	#started = 0;
	/** The last call of each key. */
	readonly #lastCalls = new Map<string, WaitingCall>();
	#placesLeft: number;
	#entered = 0;

	constructor(places: number) {
		this.#placesLeft = places;
	}

	/** Does the work of a call when it has a place, and the call before it with the same key has ended. */
	async add<T>(key: string | undefined, work: () => Promise<T>): Promise<T> {
		const call = await this.#enter(key);
		try {
			return await work();
		} finally {
			this.#leave(call, key);
		}
	}

	async #enter(key?: string): Promise<WaitingCall> {
		return await new Promise((resolve) => {
			const call: WaitingCall = { position: this.#entered++, start: () => resolve(call) };
			const before = key === undefined ? undefined : this.#lastCalls.get(key);
			if (key !== undefined) this.#lastCalls.set(key, call);
			if (before) before.next = call;
			else this.#ready.push(call);
			this.#admit();
		});
	}

	#leave({ next }: WaitingCall, key?: string): void {
		this.#placesLeft += 1;
		if (next) this.#insert(next);
		else if (key !== undefined) this.#lastCalls.delete(key);
		this.#admit();
	}

	#insert(call: WaitingCall): void {
		let index = this.#started;
		while ((this.#ready[index]?.position ?? Infinity) < call.position) index += 1;
		this.#ready.splice(index, 0, call);
	}

	#admit(): void {
		while (this.#placesLeft > 0) {
			const call = this.#ready[this.#started];
			if (!call) return;
			this.#started += 1;
			this.#placesLeft -= 1;
			call.start();
		}
	}
}
