import type { Call, CallResult } from '../resources/operation';
import type { Client } from '../service/client';
import type { Explanation, UncertainChange } from '../service/words';
import { Failure, isChange, requestFailure, stopped, toFailure } from '../shared/failure';
import { getOrCreate } from '../shared/values';
import { locked } from './lock';
import type { ValidTask } from './plan';

/** How a call ended. Its change was certainly not made if it failed, or was not sent because the node ended. */
export type Ending =
	| { readonly state: 'succeeded'; readonly result: CallResult }
	| (Explanation & { readonly state: 'failed' | 'not sent' })
	| (Explanation & { readonly state: 'unknown'; readonly uncertain: UncertainChange });

/**
 * How many chains are worked through at a time for each request that may be in flight. A chain whose request waits for its
 * next attempt needs no place of the gate.
 */
const CHAINS_PER_REQUEST = 4;

/**
 * Performs calls, several chains of them at a time.
 *
 * @param batchSize how many requests may be in flight; with 1, the calls follow each other in their order
 * @param signal aborts when nothing more may be sent
 * @param onEnd is told how each call ended, before another one starts
 */
export async function performAll(
	tasks: readonly ValidTask[],
	client: Client,
	batchSize: number,
	signal: AbortSignal,
	onEnd: (task: ValidTask, ending: Ending) => void,
): Promise<void> {
	const chains = batchSize === 1 ? [tasks] : chainsOf(tasks);
	const rest = chains.values();
	const work = async () => {
		for (const chain of rest) {
			for (const task of chain) onEnd(task, await performCall(task.call, client, signal));
		}
	};
	await Promise.all(Array.from({ length: Math.min(CHAINS_PER_REQUEST * batchSize, chains.length) }, work));
}

/** Groups calls that must follow each other, as they have the same key. A call without a key is a chain of its own. */
function chainsOf(tasks: readonly ValidTask[]): ValidTask[][] {
	const chains = new Map<string | ValidTask, ValidTask[]>();
	for (const task of tasks) getOrCreate(chains, task.call.key ?? task, () => []).push(task);
	return [...chains.values()];
}

async function performCall(call: Call, client: Client, signal: AbortSignal): Promise<Ending> {
	const perform = async () => await call.perform(client);
	try {
		if (signal.aborted) throw stopped();
		const lock = JSON.stringify([client.account.id, call.key]);
		return { state: 'succeeded', result: await (call.key !== undefined ? locked(lock, signal, perform) : perform()) };
	} catch (error) {
		// After an unexpected error, the request may have been sent.
		return endingOf(error instanceof Failure ? error : requestFailure(toFailure(error).data.problem), call);
	}
}

/** Returns how a call ended that failed. If it failed while it read what it needs, its change was not sent. */
function endingOf(failure: Failure, { purpose }: Call): Ending {
	const { data, request } = failure;
	const isUnknown = data.outcome === 'unknown';
	if (isUnknown && isChange(request ?? purpose)) {
		// An update may be sent again once the next try has found the link; a creation is never sent again.
		const isRepeatable =
			purpose.repeat === 'always' || (purpose.repeat === 'afterLooking' && request?.repeat === 'always');
		return { state: 'unknown', failure, purpose, uncertain: { purpose: request ?? purpose, isRepeatable } };
	}
	// What reads and was stopped in flight has failed; anything else that was stopped was not sent.
	const isSent = data.kind !== 'stopped' || (isUnknown && !isChange(purpose));
	return { state: isSent ? 'failed' : 'not sent', failure, purpose };
}
