import type { Call, CallResult } from '../resources/operation';
import type { Client } from '../service/client';
import type { Explanation, UncertainChange } from '../service/words';
import { Failure, isChange, requestFailure, stopped, toFailure } from '../shared/failure';
import type { ValidTask } from './plan';
import { Turns } from './turns';

/** How a call ended. Its change was certainly not made if it failed, or was not sent because the node ended. */
export type Ending =
	| { readonly state: 'succeeded'; readonly result: CallResult }
	| (Explanation & { readonly state: 'failed' | 'not sent' })
	| (Explanation & { readonly state: 'unknown'; readonly uncertain: UncertainChange });

const turns = new Turns();

/**
 * Performs calls in their order, some at a time. Those with the same key follow each other: one that has to wait lets
 * others pass.
 *
 * @param concurrency how many calls at a time, besides those that wait for another run; the gate limits the requests
 * @param signal aborts when nothing more may be sent
 * @param onEnd is told how each call ended, before another one starts
 */
export async function performAll(
	tasks: readonly ValidTask[],
	client: Client,
	concurrency: number,
	signal: AbortSignal,
	onEnd: (task: ValidTask, ending: Ending) => void,
): Promise<void> {
	const queue = new TaskQueue(tasks);
	const workers: Array<Promise<void>> = [];
	const work = async () => {
		for (let task = queue.next(); task; task = queue.next(task)) onEnd(task, await perform(task.call, client, inTurn));
	};
	const startWorker = () => workers.push(Promise.resolve().then(work));
	const inTurn = async <T>({ turn }: Call, send: () => Promise<T>): Promise<T> => {
		if (signal.aborted) throw stopped();
		if (!turn || client.isPreview) return await send();
		// While a worker waits for another run, one more takes its place. The gate limits the requests of all.
		return await turns.take(client.account.id, turn, { signal, onWait: startWorker }, send);
	};
	for (let count = Math.min(concurrency, tasks.length); count > 0; count -= 1) startWorker();
	// Some are started meanwhile.
	for (const worker of workers) await worker;
}

async function perform(
	call: Call,
	client: Client,
	inTurn: <T>(call: Call, send: () => Promise<T>) => Promise<T>,
): Promise<Ending> {
	try {
		return { state: 'succeeded', result: await inTurn(call, async () => await call.perform(client)) };
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
		// A call that looks first finds the link again that it could not update.
		const isRepeatable =
			purpose.repeat === 'always' || (purpose.repeat === 'afterLooking' && request?.repeat === 'always');
		return { state: 'unknown', failure, purpose, uncertain: { purpose: request ?? purpose, isRepeatable } };
	}
	// What reads and was stopped in flight has failed; anything else that was stopped was not sent.
	const isSent = data.kind !== 'stopped' || (isUnknown && !isChange(purpose));
	return { state: isSent ? 'failed' : 'not sent', failure, purpose };
}

/** Hands out tasks in their order. Of those with the same key, only one at a time is performed. */
class TaskQueue {
	readonly #rest: IterableIterator<ValidTask>;
	/** By each key in use, the tasks that wait for it. */
	readonly #waiting = new Map<string, ValidTask[]>();

	constructor(tasks: readonly ValidTask[]) {
		this.#rest = tasks.values();
	}

	/**
	 * Returns the next task for a worker; undefined if there is none, or only such that wait for other workers.
	 *
	 * @param ended the task that the worker has performed before
	 */
	next(ended?: ValidTask): ValidTask | undefined {
		const endedKey = ended?.call.turn?.key;
		if (endedKey !== undefined) {
			const next = this.#waiting.get(endedKey)?.shift();
			if (next) return next;
			this.#waiting.delete(endedKey);
		}
		for (const task of this.#rest) {
			const key = task.call.turn?.key;
			const sameKey = key === undefined ? undefined : this.#waiting.get(key);
			if (sameKey) {
				sameKey.push(task);
				continue;
			}
			if (key !== undefined) this.#waiting.set(key, []);
			return task;
		}
		return undefined;
	}
}
