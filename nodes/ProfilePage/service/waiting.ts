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
