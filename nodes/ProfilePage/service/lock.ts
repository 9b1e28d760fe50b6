import { unlessAborted } from './waiting';

/** By key, what ends once all work that was given so far has ended. */
const tails = new Map<string, Promise<void>>();

/**
 * Does work once all earlier work of this process with the same key has ended: first come, first served.
 *
 * @param signal ends the wait
 * @throws Failure if the signal aborts first
 */
export async function locked<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
	const before = tails.get(key);
	const afterBefore = async () => {
		if (before) await unlessAborted(signal, async () => await before);
		return await work();
	};
	const done = afterBefore();
	// If this one gives up its wait, those after it still have to wait for those before it.
	const tail = Promise.allSettled([before, done]).then(() => {
		if (tails.get(key) === tail) tails.delete(key);
	});
	tails.set(key, tail);
	return await done;
}
