import type { CallResult } from '../resources/operation';
import type { Client } from '../service/client';
import { type Failure, requestFailure, STOPPED, toFailure } from '../service/failure';
import type { PlannedCall } from './plan';

/** How a call ended. */
export type Ended = CallResult | Failure;

/**
 * Performs calls in their order, some at a time. Calls with the same key never overlap: one whose key is in use lets
 * others pass.
 *
 * @param concurrency how many calls at a time
 * @param signal aborts when nothing more may be sent
 * @param onEnd is told how each call ended, before another one starts
 */
export async function performAll(
	calls: readonly PlannedCall[],
	client: Client,
	concurrency: number,
	signal: AbortSignal,
	onEnd: (call: PlannedCall, ended: Ended) => void,
): Promise<void> {
	const waiting = new WaitingCalls(calls);
	/** Ends if all keys of the calls that wait are in use: the workers that use them take these calls. */
	const startWorker = async (first: PlannedCall) => {
		for (let call: PlannedCall | undefined = first; call; call = waiting.takeNext()) {
			onEnd(call, signal.aborted ? STOPPED : await perform(call, client));
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

/** Returns how a call ended. An error of this node becomes a failure: other calls may be in flight. */
async function perform({ call: { purpose, perform: send } }: PlannedCall, client: Client): Promise<Ended> {
	try {
		return await send(client);
	} catch (error) {
		const failure = toFailure(error);
		const { cause, problem } = failure.data;
		return cause ? requestFailure(problem).of(purpose) : failure;
	}
}

/** The calls that wait, and the keys of those that do not. */
class WaitingCalls {
	/** The last one is next: it takes long to remove the first element of a long array. */
	readonly #reversed: PlannedCall[];
	readonly #keysInUse = new Set<string>();

	constructor(calls: readonly PlannedCall[]) {
		this.#reversed = calls.toReversed();
	}

	/** Returns the first call whose key is free, which is in use from now on; undefined if there is none. */
	takeNext(): PlannedCall | undefined {
		const index = this.#reversed.findLastIndex(({ call: { key } }) => key === undefined || !this.#keysInUse.has(key));
		const [next] = index < 0 ? [] : this.#reversed.splice(index, 1);
		if (next?.call.key !== undefined) this.#keysInUse.add(next.call.key);
		return next;
	}

	releaseKey({ call: { key } }: PlannedCall): void {
		if (key !== undefined) this.#keysInUse.delete(key);
	}
}
