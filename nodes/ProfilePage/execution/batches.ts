import type { Call } from '../operation';
import { pause } from '../shared/waiting';
import type { SendOptions } from './options';

type Queued = Pick<Call, 'concurrencyKey'>;

/**
 * Sends calls with at most `batchSize` in flight. Starts no more once the signal aborts.
 *
 * @param send sends one call; if it returns false, calls in flight are finished and no more start
 */
export async function sendInBatches<T extends Queued>(
	calls: readonly T[],
	{ batchSize, batchInterval }: Pick<SendOptions, 'batchSize' | 'batchInterval'>,
	send: (call: T) => Promise<boolean>,
	signal?: AbortSignal,
): Promise<void> {
	const next = queue(calls);
	const turn = throttle(batchSize, batchInterval, signal);
	let isEnded = false;

	async function sendOneByOne(): Promise<void> {
		for (let call = next(); call; call = next(call)) {
			if (batchInterval > 0) await turn();
			if (isEnded || signal?.aborted) return;
			if (!(await send(call))) isEnded = true;
		}
	}
	const workers = Math.min(batchSize, calls.length);
	await Promise.all(Array.from({ length: workers }, sendOneByOne));
}

/**
 * Returns a function that returns the next call for a worker which has finished another. Of the calls with the same
 * key, only one is in flight at a time; the others wait for it.
 */
function queue<T extends Queued>(calls: readonly T[]): (finished?: T) => T | undefined {
	const remaining = calls.values();
	const waiting = new Map<string, T[]>();

	function mustWait(call: T): boolean {
		if (call.concurrencyKey === undefined) return false;
		const others = waiting.get(call.concurrencyKey);
		if (others) others.push(call);
		else waiting.set(call.concurrencyKey, []);
		return others !== undefined;
	}
	return (finished) => {
		const key = finished?.concurrencyKey;
		const released = key !== undefined ? waiting.get(key)?.shift() : undefined;
		if (released) return released;
		if (key !== undefined) waiting.delete(key);
		let next = remaining.next();
		while (!next.done && mustWait(next.value)) next = remaining.next();
		return next.done ? undefined : next.value;
	};
}

/** Returns a function that lets `batchSize` calls start, then waits for `batchInterval`, or until the signal aborts. */
function throttle(
	batchSize: number,
	batchInterval: number,
	signal?: AbortSignal,
): () => Promise<void> {
	let left = batchSize;
	let pauseEnds = 0;
	let pausing: Promise<void> | undefined;

	async function waitForNextBatch(): Promise<void> {
		await pause(pauseEnds - Date.now(), signal);
		left = batchSize;
		pausing = undefined;
	}
	return async () => {
		while (left === 0) await (pausing ??= waitForNextBatch());
		left -= 1;
		if (left === 0) pauseEnds = Date.now() + batchInterval;
	};
}
