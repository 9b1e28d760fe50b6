import { type Ended, type Failure, STOPPED } from './failure';

/** The longest total wait for one request, in milliseconds. */
export const LONGEST_TOTAL_MS = 90_000;

/**
 * Does work with a time limit in milliseconds. Once the time is over, or `stopSignal` aborts, the signal passed to `work`
 * aborts, and a failure is returned, also if `work` ignores the signal.
 *
 * @param timedOut the failure if the time is over
 */
export async function withTimeout<T>(
	milliseconds: number,
	stopSignal: AbortSignal | undefined,
	timedOut: Failure,
	work: (signal: AbortSignal) => Promise<Ended<T>>,
): Promise<Ended<T>> {
	if (stopSignal?.aborted) return STOPPED;
	// Unlike a timer of n8n's `sleep`, this one keeps no process alive.
	const timeout = AbortSignal.timeout(Math.max(0, Math.ceil(milliseconds)));
	const signal = AbortSignal.any(stopSignal ? [stopSignal, timeout] : [timeout]);
	let onAbort: () => void = () => undefined;
	const aborted = new Promise<Failure>((resolve) => {
		onAbort = () => resolve(timedOut);
		signal.addEventListener('abort', onAbort);
	});
	try {
		const ended = await Promise.race([work(signal), aborted]);
		if (ended.outcome === 'done') return ended;
		if (stopSignal?.aborted) return { ...STOPPED, outcome: 'unknown' };
		// This use of `timeout` also keeps it from garbage collection: `signal` refers to it weakly.
		return timeout.aborted ? timedOut : ended;
	} finally {
		signal.removeEventListener('abort', onAbort);
	}
}

/** Waits for some milliseconds, or until a signal aborts. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
	// n8n allows community nodes no timers, so this is the time limit of work that never ends.
	await withTimeout(milliseconds, signal, STOPPED, async () => await new Promise<Failure>(() => undefined));
}

/** Values by key. Each is made once for all callers at the same time, and then kept for some time. */
export class Cached<T> {
	readonly #kept = new Map<string, { readonly value: Promise<T>; expiresAt: number }>();
	readonly #lifetimeOf: (value: T) => number;

	/** @param lifetimeOf returns for how long a value is kept, in milliseconds; by default, it is only shared while it is made */
	constructor(lifetimeOf: (value: T) => number = () => 0) {
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
			(value) => keepFor(this.#lifetimeOf(value)),
			() => keepFor(0),
		);
		return await made.value;
	}

	/** Makes the next calls of `get` make other values. */
	expire(): void {
		this.#kept.clear();
	}
}
