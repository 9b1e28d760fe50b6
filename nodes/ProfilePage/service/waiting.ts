import { type Failure, STOPPED } from './failure';

/** The longest total wait for one request, in milliseconds. */
export const LONGEST_TOTAL_MS = 90_000;

/**
 * Does work with a time limit in milliseconds. Once the time is over, or `stopSignal` aborts, the signal passed to `work`
 * aborts, and this ends, also if `work` ignores the signal.
 *
 * @throws timedOut if the time is over; STOPPED if `stopSignal` aborts, with an unknown outcome unless it had aborted
 *   before the work began
 */
export async function withTimeout<T>(
	milliseconds: number,
	stopSignal: AbortSignal | undefined,
	timedOut: Failure,
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	if (stopSignal?.aborted) throw STOPPED;
	// Unlike a timer of n8n's `sleep`, this one keeps no process alive.
	const timeout = AbortSignal.timeout(Math.max(0, Math.ceil(milliseconds)));
	const signal = AbortSignal.any(stopSignal ? [stopSignal, timeout] : [timeout]);
	let onAbort: () => void = () => undefined;
	const aborted = new Promise<never>((_, reject) => {
		onAbort = () => reject(timedOut);
		signal.addEventListener('abort', onAbort);
	});
	try {
		return await Promise.race([work(signal), aborted]);
	} catch (error) {
		if (stopSignal?.aborted) throw STOPPED.with({ outcome: 'unknown' });
		// This use of `timeout` also keeps it from garbage collection: `signal` refers to it weakly.
		throw timeout.aborted ? timedOut : (error as Error);
	} finally {
		signal.removeEventListener('abort', onAbort);
	}
}

/** Waits for some milliseconds, or until a signal aborts. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
	// n8n allows community nodes no timers, so this is the time limit of work that never ends.
	const never = async () => await new Promise<never>(() => undefined);
	await withTimeout(milliseconds, signal, STOPPED, never).catch(() => undefined);
}
