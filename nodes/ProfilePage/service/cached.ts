/** Values by key. Each is made once for all callers at the same time, and then kept for some time. */
export class Cached<T> {
	readonly #kept = new Map<string, { readonly value: Promise<T>; expiresAt: number }>();
	readonly #lifetimeOf: (took: number, error?: unknown) => number;

	/**
	 * @param lifetimeOf returns for how long a value is kept, in milliseconds. It gets how long it took to make, and the error
	 *   if that failed
	 */
	constructor(lifetimeOf: (took: number, error?: unknown) => number) {
		this.#lifetimeOf = lifetimeOf;
	}

	async get(key: string, make: () => Promise<T>): Promise<T> {
		const kept = this.#kept.get(key);
		if (kept && Date.now() < kept.expiresAt) return await kept.value;
		const startedAt = Date.now();
		const made = { value: make(), expiresAt: Infinity };
		this.#kept.set(key, made);
		const keep = (error?: unknown) => {
			const now = Date.now();
			made.expiresAt = now + this.#lifetimeOf(now - startedAt, error);
			if (made.expiresAt === now && this.#kept.get(key) === made) this.#kept.delete(key);
		};
		made.value.then(() => keep(), keep);
		return await made.value;
	}
}
