import type { Turn } from '../resources/operation';
import { unlessAborted } from '../service/waiting';
import { stopped } from '../shared/failure';
import { getOrCreate } from '../shared/values';

/** A call that has its turn, or waits for it. */
interface Place extends Pick<Turn, 'isExclusive'> {
	hasBegun: boolean;
	/** Ends its wait. */
	begin?: () => void;
}

/**
 * Lets calls of several runs take turns: first come, first served. A run has a single call of each key here at a time, so
 * that a long run does not hold up another.
 */
export class Turns {
	/** By account and key, those that have begun first. A queue without calls is forgotten. */
	readonly #queues = new Map<string, Set<Place>>();

	get size(): number {
		return this.#queues.size;
	}

	/**
	 * Does work once its turn has come.
	 *
	 * @param signal ends the wait
	 * @param onWait is called if there is one
	 * @throws Failure if the signal aborts first
	 */
	async take<T>(
		account: string,
		{ key, isExclusive }: Turn,
		{ signal, onWait }: { readonly signal: AbortSignal; readonly onWait: () => void },
		work: () => Promise<T>,
	): Promise<T> {
		const place: Place = { isExclusive, hasBegun: false };
		const leave = this.#join(JSON.stringify([account, key]), place);
		try {
			if (!place.hasBegun) {
				onWait();
				await unlessAborted(signal, stopped, async () => await new Promise<void>((done) => (place.begin = done)));
			}
			return await work();
		} finally {
			leave();
		}
	}

	#join(name: string, place: Place): () => void {
		const queue = getOrCreate(this.#queues, name, () => new Set<Place>());
		queue.add(place);
		letBegin(queue);
		return () => {
			queue.delete(place);
			if (queue.size === 0) this.#queues.delete(name);
			letBegin(queue);
		};
	}
}

/** Lets those begin that may be performed together: the first one, if it is exclusive, or all before the next exclusive one. */
function letBegin(queue: ReadonlySet<Place>): void {
	const [first] = queue;
	for (const place of queue) {
		if (place.isExclusive && place !== first) return;
		place.hasBegun = true;
		place.begin?.();
		if (place.isExclusive) return;
	}
}
