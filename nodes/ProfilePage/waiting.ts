import { sleep } from 'n8n-workflow';

import { ExecutionStopped } from './explainedErrors';

/**
 * Waits for something until the signal comes, also for what the signal does not end.
 *
 * @throws ExecutionStopped when the signal comes first
 */
export async function orStopped<T>(waiting: Promise<T>, signal?: AbortSignal): Promise<T> {
	if (!signal) return await waiting;
	let stop: () => void = () => undefined;
	const stopped = new Promise<never>((_resolve, reject) => {
		stop = () => reject(new ExecutionStopped());
		if (signal.aborted) stop();
		else signal.addEventListener('abort', stop);
	});
	try {
		return await Promise.race([waiting, stopped]);
	} finally {
		signal.removeEventListener('abort', stop);
	}
}

/** Waits for so many milliseconds, or until the signal comes. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
	await orStopped(sleep(milliseconds), signal).catch(() => undefined);
}
