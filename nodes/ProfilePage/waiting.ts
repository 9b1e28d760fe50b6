import { sleep } from 'n8n-workflow';

import { ExecutionStopped, TimeLimitReached } from './errors';

/**
 * Waits for something until the signal aborts, also for work that ignores the signal.
 *
 * @throws ExecutionStopped if the signal aborts first
 */
export async function abortable<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
	if (!signal) return await work;
	// One signal for each wait: Node.js warns of a leak where many listen to the same.
	const own = AbortSignal.any([signal]);
	let stop: () => void = () => undefined;
	const stopped = new Promise<never>((_resolve, reject) => {
		stop = () => reject(new ExecutionStopped());
	});
	if (own.aborted) stop();
	own.addEventListener('abort', stop);
	try {
		return await Promise.race([work, stopped]);
	} finally {
		// A signal is kept only while something listens to it.
		own.removeEventListener('abort', stop);
	}
}

/**
 * Gives up work after a while, or when the execution is stopped.
 *
 * @param milliseconds how long the work may take
 * @param cancelSignal aborts when the execution is stopped
 * @param work is passed a signal that aborts in both cases
 * @throws TimeLimitReached or ExecutionStopped
 */
export async function withTimeout<T>(
	milliseconds: number,
	cancelSignal: AbortSignal | undefined,
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	if (cancelSignal?.aborted) throw new ExecutionStopped();
	const timeLimit = AbortSignal.timeout(milliseconds);
	const signal = cancelSignal ? AbortSignal.any([cancelSignal, timeLimit]) : timeLimit;
	try {
		return await abortable(work(signal), signal);
	} catch (error) {
		const isStopped = cancelSignal?.aborted;
		throw isStopped ? new ExecutionStopped() : timeLimit.aborted ? new TimeLimitReached() : error;
	}
}

/** Waits for so many milliseconds, or until the signal aborts. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
	await abortable(sleep(milliseconds), signal).catch(() => undefined);
}
