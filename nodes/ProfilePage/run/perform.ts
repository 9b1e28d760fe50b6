import type { Call, CallResult } from '../resources/operation';
import type { Client } from '../service/client';
import { Failure, requestFailure, STOPPED, toFailure } from '../service/failure';
import { isChange } from '../service/request';
import { explain, type Explanation, type UncertainChange } from '../service/words';
import { getOrCreate } from '../shared/values';
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
	const waiting = new WaitingTasks(tasks);
	const workers: Array<Promise<void>> = [];
	/** Ends if all keys of the tasks that wait are in use: the workers that use them take these tasks. */
	const work = async () => {
		for (let task = waiting.takeNext(); task; task = waiting.takeNext()) {
			onEnd(task, await perform(task.call, client, inTurn));
			waiting.release(task);
		}
	};
	const startWorker = () => workers.push(Promise.resolve().then(work));
	const inTurn = async <T>({ turn }: Call, send: () => Promise<T>): Promise<T> => {
		if (signal.aborted) throw STOPPED;
		if (!turn || client.isPreview) return await send();
		// While a worker waits for another run, one more takes its place. The gate limits the requests of all.
		return await turns.take(client.account.id, turn, waiting, { signal, onWait: startWorker }, send);
	};
	for (let count = Math.min(concurrency, tasks.length); count > 0; count -= 1) startWorker();
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
function endingOf(failure: Failure, { purpose, idempotent, looksFirst = false }: Call): Ending {
	const { data, request } = failure;
	const explanation = explain(failure, purpose);
	const isUnknown = data.outcome === 'unknown';
	if (isUnknown && isChange(request ?? purpose)) {
		// A call that looks first finds the link again that it could not update.
		const isRepeatable = idempotent || (looksFirst && request?.idempotent === true);
		return { ...explanation, state: 'unknown', uncertain: { purpose: request ?? purpose, isRepeatable } };
	}
	const isSent = data.kind !== 'stopped' || (isUnknown && !isChange(purpose));
	return { ...explanation, state: isSent ? 'failed' : 'not sent' };
}

/** The tasks that wait. Of those with the same key, only the first one can be taken, until it is released. */
class WaitingTasks {
	/** Those that can be taken. The last one is next: it takes long to remove the first element of a long array. */
	readonly #free: ValidTask[] = [];
	/** The others, by their keys, the last one first. */
	readonly #byKey = new Map<string, ValidTask[]>();

	constructor(tasks: readonly ValidTask[]) {
		for (const task of tasks.toReversed()) {
			const { turn } = task.call;
			if (turn) getOrCreate(this.#byKey, turn.key, () => []).push(task);
			else this.#free.push(task);
		}
		for (const ofKey of this.#byKey.values()) this.#insert(ofKey.pop());
	}

	takeNext(): ValidTask | undefined {
		return this.#free.pop();
	}

	release({ call: { turn } }: ValidTask): void {
		if (turn) this.#insert(this.#byKey.get(turn.key)?.pop());
	}

	/** Inserts a task, if there is one, where it is next after those before it in the input. */
	#insert(task: ValidTask | undefined): void {
		if (!task) return;
		let [start, end] = [0, this.#free.length];
		while (start < end) {
			const middle = Math.floor((start + end) / 2);
			if (isBefore(task, this.#free[middle])) start = middle + 1;
			else end = middle;
		}
		this.#free.splice(start, 0, task);
	}
}

/** Whether a task comes earlier in the input. */
function isBefore({ indexes: [index = 0] }: ValidTask, other?: ValidTask): boolean {
	return index < (other?.indexes[0] ?? 0);
}
