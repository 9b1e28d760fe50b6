import type { SendOptions } from '../options';
import { pause } from '../waiting';
import { CallQueue, type Queued } from './callQueue';

/**
 * Sends calls, several at once: those of the same target one after another, in their order.
 *
 * @param send sends one call; false ends the batches: calls in flight are finished, and no more start
 * @param signal ends them too
 */
export async function sendInBatches<T extends Queued>(
	calls: readonly T[],
	{ batchSize, batchInterval }: Pick<SendOptions, 'batchSize' | 'batchInterval'>,
	send: (call: T) => Promise<boolean>,
	signal?: AbortSignal,
): Promise<void> {
	const queue = new CallQueue(calls);
	const pace = new Pace(batchSize, batchInterval, signal);
	let isEnded = false;

	async function sendOneByOne(): Promise<void> {
		for (let call = queue.next(); call; call = queue.next(call)) {
			if (batchInterval > 0) await pace.turn();
			if (isEnded || signal?.aborted) return;
			if (!(await send(call))) isEnded = true;
		}
	}
	const lanes = Math.min(batchSize, calls.length);
	await Promise.all(Array.from({ length: lanes }, sendOneByOne));
}

/** Lets so many calls begin, then none for a while, and so on. */
class Pace {
	#left: number;
	#restEnds = 0;
	#rest?: Promise<void>;

	constructor(
		private readonly batchSize: number,
		private readonly batchInterval: number,
		private readonly signal?: AbortSignal,
	) {
		this.#left = batchSize;
	}

	/** Waits until another call may begin, or the signal comes. */
	async turn(): Promise<void> {
		while (this.#left === 0) await (this.#rest ??= this.#waitForRest());
		this.#left -= 1;
		if (this.#left === 0) this.#restEnds = Date.now() + this.batchInterval;
	}

	async #waitForRest(): Promise<void> {
		await pause(this.#restEnds - Date.now(), this.signal);
		this.#left = this.batchSize;
		this.#rest = undefined;
	}
}
