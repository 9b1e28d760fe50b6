import type { Call } from '../resources/operation';

type Keyed = Pick<Call, 'key'>;

/**
 * Works on calls in their order, some at a time. Calls with the same key never overlap: one whose key is in use lets
 * others pass.
 *
 * @param concurrency on how many calls at a time
 */
export async function workInOrder<C extends Keyed>(
	calls: readonly C[],
	concurrency: number,
	work: (call: C) => Promise<void>,
): Promise<void> {
	const waiting = new WaitingCalls(calls);
	/** Ends if all keys of the calls that wait are in use: the workers that use them take these calls. */
	const startWorker = async (first: C) => {
		for (let call: C | undefined = first; call; call = waiting.takeNext()) {
			await work(call);
			waiting.releaseKey(call);
		}
	};
	const workers: Array<Promise<void>> = [];
	while (workers.length < concurrency) {
		const first = waiting.takeNext();
		if (!first) break;
		workers.push(startWorker(first));
	}
	await Promise.all(workers);
}

/** The calls that wait, and the keys of those that do not. */
class WaitingCalls<C extends Keyed> {
	/** The last one is next: it takes long to remove the first element of a long array. */
	readonly #reversed: C[];
	readonly #keysInUse = new Set<string>();

	constructor(calls: readonly C[]) {
		this.#reversed = calls.toReversed();
	}

	/** Returns the first call whose key is free, which is in use from now on; undefined if there is none. */
	takeNext(): C | undefined {
		const index = this.#reversed.findLastIndex(({ key }) => key === undefined || !this.#keysInUse.has(key));
		const [call] = index < 0 ? [] : this.#reversed.splice(index, 1);
		if (call?.key !== undefined) this.#keysInUse.add(call.key);
		return call;
	}

	releaseKey({ key }: C): void {
		if (key !== undefined) this.#keysInUse.delete(key);
	}
}
