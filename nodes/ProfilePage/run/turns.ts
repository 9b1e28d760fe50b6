import type { Turn } from '../resources/operation';
import { STOPPED } from '../service/failure';
import { unlessAborted } from '../service/waiting';
import { getOrCreate } from '../shared/values';

/** A call that has its turn, or waits for it. */
interface Place extends Pick<Turn, 'among'> {
	readonly run: object;
	hasBegun: boolean;
	/** Ends its wait. */
	begin?: () => void;
}

/**
 * Lets calls of several runs take turns: first come, first served. A run has a single call of each key here at a time, so a
 * queue is no longer than there are runs.
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
	 * @throws STOPPED if the signal aborts first
	 */
	async take<T>(
		account: string,
		{ key, among }: Turn,
		run: object,
		{ signal, onWait }: { readonly signal: AbortSignal; readonly onWait: () => void },
		work: () => Promise<T>,
	): Promise<T> {
		const place: Place = { among, run, hasBegun: false };
		const leave = this.#join(JSON.stringify([account, key]), place);
		try {
			if (!place.hasBegun) {
				onWait();
				await unlessAborted(signal, STOPPED, async () => await new Promise<void>((done) => (place.begin = done)));
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

/** Lets those begin that nothing before them excludes. */
function letBegin(queue: ReadonlySet<Place>): void {
	const runs = new Set<object>();
	for (const place of queue) {
		const isAlone = place.among === 'process';
		if (isAlone ? runs.size === 0 : !runs.has(place.run)) {
			place.hasBegun = true;
			place.begin?.();
		}
		// It excludes all that follow.
		if (isAlone) return;
		runs.add(place.run);
	}
}
