import type { Call, CallResult } from '../resources/operation';
import type { Session } from '../resources/session';
import { locked } from '../service/lock';
import { Failure, isChange, type Purpose, requestFailure, toFailure } from '../shared/failure';
import { getOrCreate } from '../shared/values';
import type { Task } from './plan';

/** How a call ended. */
export type Ending = CallResult | Failure;

/**
 * How many chains are worked through at a time for each request that may be in flight. A chain whose request waits for its
 * next attempt needs no place of the gate.
 */
const CHAINS_PER_REQUEST = 4;

/**
 * Performs calls, several chains of them at a time.
 *
 * @param batchSize how many requests may be in flight; with 1, the calls follow each other in their order
 * @param stopSignal aborts when nothing more may be sent
 * @param onEnd is told how each call ended that was sent, before another one starts
 */
export async function performAll(
	tasks: readonly Task[],
	session: Session,
	batchSize: number,
	stopSignal: AbortSignal,
	onEnd: (task: Task, ending: Ending) => void,
): Promise<void> {
	const chains = batchSize === 1 ? [tasks] : chainsOf(tasks);
	// All workers take their next chain from here.
	const rest = chains.values();
	const work = async () => {
		for (const chain of rest) {
			for (const task of chain) {
				const ending = await performCall(task.call, session, stopSignal);
				if (ending) onEnd(task, ending);
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(CHAINS_PER_REQUEST * batchSize, chains.length) }, work));
}

/**
 * Groups calls that must follow each other, as they have the same key. A call without a key is a chain of its own. Each
 * call takes the lock for itself, so that those of other executions get their turns in between.
 */
function chainsOf(tasks: readonly Task[]): Task[][] {
	const chains = new Map<string | Task, Task[]>();
	for (const task of tasks) getOrCreate(chains, task.call.key ?? task, () => []).push(task);
	return [...chains.values()];
}

/** Performs a call. Returns how it ended; undefined if the node ended before it had an effect. */
async function performCall(call: Call, session: Session, stopSignal: AbortSignal): Promise<Ending | undefined> {
	const perform = async () => await call.perform(session);
	if (stopSignal.aborted) return undefined;
	try {
		const lock = JSON.stringify([session.client.account.id, call.key]);
		return await (call.key !== undefined ? locked(lock, perform, stopSignal) : perform());
	} catch (error) {
		const failure = error instanceof Failure ? error : unexpected(error, call.purpose);
		const { kind, outcome } = failure.data;
		const hadEffect = kind !== 'stopped' || outcome === 'unknown';
		return hadEffect ? failure.with({ call: call.purpose }) : undefined;
	}
}

/** Returns the failure of a call that ended with an error of n8n, or of ours. It may have sent its request. */
function unexpected(error: unknown, call: Purpose): Failure {
	const outcome = isChange(call) ? 'unknown' : 'not applied';
	return requestFailure(toFailure(error).data.problem, undefined, { outcome, request: call });
}
