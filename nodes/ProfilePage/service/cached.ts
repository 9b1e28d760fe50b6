/** Values by key. Each is made once for all callers at the same time, and then kept for some time. */
export class Cached<T> {
	readonly #kept = new Map<string, { readonly value: Promise<T>; expiresAt: number }>();
	readonly #lifetimeOf: (error?: unknown) => number;

	/** @param lifetimeOf returns for how long a value, or the error instead of it, is kept, in milliseconds; by default, it is only shared while it is made */
	constructor(lifetimeOf: (error?: unknown) => number = () => 0) {
		this.#lifetimeOf = lifetimeOf;
	}

	async get(make: () => Promise<T>, key = ''): Promise<T> {
		const kept = this.#kept.get(key);
		if (kept && Date.now() < kept.expiresAt) return await kept.value;
		const made = { value: make(), expiresAt: Infinity };
		this.#kept.set(key, made);
		const keepFor = (lifetime: number) => {
			made.expiresAt = Date.now() + lifetime;
			if (lifetime === 0 && this.#kept.get(key) === made) this.#kept.delete(key);
		};
		made.value.then(
			() => keepFor(this.#lifetimeOf()),
			(error: unknown) => keepFor(this.#lifetimeOf(error)),
		);
		return await made.value;
	}
}
