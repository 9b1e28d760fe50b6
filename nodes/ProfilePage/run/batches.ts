import type { Call } from '../resources/operation';

/**
 * Sends calls with at most `batchSize` in flight. Of the calls with the same key, only one is in flight at a time; the
 * others wait for it. Starts no more once the signal aborts.
 *
 * @param send sends one call; if it returns false, calls in flight are finished and no more start
 */
export async function sendInBatches<T extends Pick<Call, 'concurrencyKey'>>(
	calls: readonly T[],
	batchSize: number,
	send: (call: T) => Promise<boolean>,
	signal?: AbortSignal,
): Promise<void> {
	const remaining = calls.values();
	const waiting = new Map<string, T[]>();
	let isEnded = false;

	/** Returns the next call for a worker that has finished another one. */
	function nextAfter(finished?: T): T | undefined {
		const finishedKey = finished?.concurrencyKey;
		if (finishedKey !== undefined) {
			const released = waiting.get(finishedKey)?.shift();
			if (released) return released;
			waiting.delete(finishedKey);
		}
		// Goes on where another worker has stopped: this iterator is not closed by "return".
		for (const call of remaining) {
			const { concurrencyKey: key } = call;
			if (key === undefined) return call;
			const others = waiting.get(key);
			others?.push(call);
			if (others) continue;
			waiting.set(key, []);
			return call;
		}
		return undefined;
	}

	async function sendOneByOne(): Promise<void> {
		for (let call = nextAfter(); call && !isEnded && !signal?.aborted; call = nextAfter(call)) {
			if (!(await send(call))) isEnded = true;
		}
	}
	await Promise.all(Array.from({ length: Math.min(batchSize, calls.length) }, sendOneByOne));
}
