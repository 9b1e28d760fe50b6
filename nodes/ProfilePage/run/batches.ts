import type { SendOptions } from '../options';
import { pause } from '../waiting';
import { CallQueue, type Queued } from './callQueue';

/**
 * Sends calls, several at once: those of the same target one after another, in their order. The first
 * one goes alone, so that it finds out for all whether the access token is still good.
 *
 * @param send sends one call. It calls `letOthersIn` if the first one takes longer than one request;
 *   false ends the batches: what is under way goes on, nothing more begins
 * @param signal ends them too
 */
export async function sendInBatches<T extends Queued>(
	calls: readonly T[],
	{ batchSize, batchInterval }: Pick<SendOptions, 'batchSize' | 'batchInterval'>,
	send: (call: T, letOthersIn: () => void) => Promise<boolean>,
	signal?: AbortSignal,
): Promise<void> {
	const queue = new CallQueue(calls);
	const pace = new Pace(batchSize, batchInterval, signal);
	let isEnded = false;
	let letOthersIn: () => void = () => undefined;
	const othersMayGo = new Promise<void>((resolve) => (letOthersIn = resolve));

	async function sendOneByOne(): Promise<void> {
		for (let call = queue.next(); call; call = queue.next(call)) {
			if (batchInterval > 0) await pace.turn();
			if (isEnded || signal?.aborted) return;
			if (!(await send(call, letOthersIn))) isEnded = true;
			letOthersIn();
		}
	}
	const firstLane = sendOneByOne();
	await Promise.race([firstLane, othersMayGo]);
	const otherLanes = Math.min(batchSize, calls.length) - 1;
	await Promise.all([firstLane, ...Array.from({ length: otherLanes }, sendOneByOne)]);
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
