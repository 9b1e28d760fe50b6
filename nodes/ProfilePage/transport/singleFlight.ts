/** Shares work in progress: callers that ask for the same key at the same time get one result. */
export class SingleFlight<T> {
	readonly #inFlight = new Map<string, Promise<T>>();

	/**
	 * @param key tells apart what must not be shared
	 * @param work runs unless work for the key is in progress already
	 * @returns the result of that work; rejects for every caller if it fails
	 */
	async run(key: string, work: () => Promise<T>): Promise<T> {
		const inFlight = this.#inFlight.get(key);
		if (inFlight) return await inFlight;
		const started = work().finally(() => this.#inFlight.delete(key));
		this.#inFlight.set(key, started);
		return await started;
	}
}
