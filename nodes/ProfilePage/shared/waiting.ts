import { ExecutionCanceled } from './errors';

export class TimedOut extends Error {
	readonly code = 'ETIMEDOUT';
}

/**
 * Runs `work` with a time limit in milliseconds, until the execution is canceled. In both cases, the signal passed to
 * `work` aborts. Throws TimedOut or ExecutionCanceled, also if `work` ignores the signal.
 */
export async function withTimeout<T>(
	milliseconds: number,
	cancelSignal: AbortSignal | undefined,
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	if (cancelSignal?.aborted) throw new ExecutionCanceled();
	// Unlike those of n8n's `sleep`, its timer ends with the signal, and keeps no process alive.
	const timeout = AbortSignal.timeout(Math.max(0, Math.ceil(milliseconds)));
	const signal = AbortSignal.any(cancelSignal ? [cancelSignal, timeout] : [timeout]);
	let onAbort: () => void = () => undefined;
	const aborted = new Promise<never>((_resolve, reject) => {
		onAbort = () => reject(new TimedOut());
		signal.addEventListener('abort', onAbort);
	});
	try {
		return await Promise.race([work(signal), aborted]);
	} catch (error) {
		// This use of `timeout` also keeps it from garbage collection: `signal` refers to it weakly.
		const ended = timeout.aborted ? new TimedOut() : error;
		throw cancelSignal?.aborted ? new ExecutionCanceled('may be applied', true) : ended;
	} finally {
		signal.removeEventListener('abort', onAbort);
	}
}

/** Waits for some milliseconds, or until the execution is canceled. */
export async function pause(milliseconds: number, cancelSignal?: AbortSignal): Promise<void> {
	const timeout = AbortSignal.timeout(Math.max(0, Math.ceil(milliseconds)));
	const signal = AbortSignal.any(cancelSignal ? [cancelSignal, timeout] : [timeout]);
	// The check of `timeout` also keeps it from garbage collection: `signal` refers to it weakly.
	while (!timeout.aborted && !signal.aborted) {
		await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
	}
}

/** Shares work in progress: concurrent callers of `run` with the same key get one result. */
export class SingleFlight<T> {
	readonly #inFlight = new Map<string, Promise<T>>();

	async run(key: string, work: () => Promise<T>): Promise<T> {
		const inFlight = this.#inFlight.get(key) ?? work().finally(() => this.#inFlight.delete(key));
		this.#inFlight.set(key, inFlight);
		return await inFlight;
	}
}
