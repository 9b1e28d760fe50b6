import { sleep } from 'n8n-workflow';

import { ExecutionStopped } from './explainedErrors';

/**
 * Waits for something until the signal comes, also for what the signal does not end.
 *
 * @throws ExecutionStopped when the signal comes first
 */
export async function orStopped<T>(waiting: Promise<T>, signal?: AbortSignal): Promise<T> {
	if (!signal) return await waiting;
	// One of its own for each wait: Node.js warns of a leak where one signal is listened to by many.
	const own = AbortSignal.any([signal]);
	let stop: () => void = () => undefined;
	const stopped = new Promise<never>((_resolve, reject) => {
		stop = () => reject(new ExecutionStopped());
	});
	if (own.aborted) stop();
	own.addEventListener('abort', stop);
	try {
		return await Promise.race([waiting, stopped]);
	} finally {
		// Only with a listener is a signal kept; without one it goes.
		own.removeEventListener('abort', stop);
	}
}

/** Waits for so many milliseconds, or until the signal comes. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
	await orStopped(sleep(milliseconds), signal).catch(() => undefined);
}
