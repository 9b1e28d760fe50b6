import type { CallResult } from '../resources/operation';
import type { Client } from '../service/client';
import { Failure, requestFailure, STOPPED, toFailure } from '../service/failure';
import { isChange, type Purpose } from '../service/request';
import type { FailureReport } from '../service/words';
import type { PlannedCall } from './plan';

/** How a call ended. Its change was certainly not made if it failed, or was not sent because the node ended. */
export type Ending =
	| { readonly state: 'succeeded'; readonly result: CallResult }
	| (FailureReport & { readonly state: 'failed' | 'not sent' })
	| (FailureReport & { readonly state: 'unknown'; readonly change: Purpose });

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
	onEnd: (call: PlannedCall, ending: Ending) => void,
): Promise<void> {
	const waiting = new WaitingCalls(calls);
	/** Ends if all keys of the calls that wait are in use: the workers that use them take these calls. */
	const startWorker = async (first: PlannedCall) => {
		for (let call: PlannedCall | undefined = first; call; call = waiting.takeNext()) {
			onEnd(call, signal.aborted ? { state: 'not sent', failure: STOPPED } : await perform(call, client));
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

async function perform({ call }: PlannedCall, client: Client): Promise<Ending> {
	try {
		return { state: 'succeeded', result: await call.perform(client) };
	} catch (error) {
		// After any other error, which is one of this node, the request may have been sent. Others may be in flight.
		return endingOf(error instanceof Failure ? error : requestFailure(toFailure(error).data.problem), call.purpose);
	}
}

/** Returns how a call ended that failed. What it reads before its change has sent nothing of that. */
function endingOf(failure: Failure, wanted: Purpose): Ending {
	const { request = wanted, data } = failure;
	if (data.outcome === 'unknown' && isChange(request)) return { state: 'unknown', failure, wanted, change: request };
	const isSent = data.kind !== 'stopped' || (data.outcome === 'unknown' && !isChange(wanted));
	return { state: isSent ? 'failed' : 'not sent', failure, wanted };
}

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
