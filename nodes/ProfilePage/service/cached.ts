import { type Failure, toFailure } from './failure';

/** Values by key. Each is made once for all callers at the same time, and then kept for some time. */
export class Cached<T> {
	readonly #kept = new Map<string, { readonly value: Promise<T>; expiresAt: number }>();
	readonly #lifetimeOf: (failure?: Failure) => number;

	/** @param lifetimeOf returns for how long a value or a failure is kept, in milliseconds; by default, it is only shared while it is made */
	constructor(lifetimeOf: (failure?: Failure) => number = () => 0) {
		this.#lifetimeOf = lifetimeOf;
	}

	/** Returns the value of a key, or throws why there is none. */
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
			(error: unknown) => keepFor(this.#lifetimeOf(toFailure(error))),
		);
		return await made.value;
	}

	/** Makes the next calls of `get` make other values. */
	expire(): void {
		this.#kept.clear();
	}
}
