import type { Session } from '../resources/session';
import { locked } from '../service/lock';
import { Failure, isChange, type Purpose, requestFailure, toFailure, wasStoppedInTime } from '../shared/failure';
import { getOrCreate } from '../shared/values';
import type { Entry } from './ledger';

/** An entry whose call can be performed. */
export type Planned = Entry & Required<Pick<Entry, 'call'>>;

/**
 * How many chains are worked through at a time for each request that may be in flight. A chain whose request waits for its
 * next attempt needs no place of the gate.
 */
const CHAINS_PER_REQUEST = 4;

/**
 * Performs calls, several chains of them at a time.
 *
 * @param concurrency how many requests may be in flight; with 1, the calls follow each other in their order
 * @param stopSignal aborts when nothing more may be sent
 * @param onEnd is told how each call ended that was sent, before another one starts
 */
export async function performAll(
	planned: readonly Planned[],
	session: Session,
	concurrency: number,
	stopSignal: AbortSignal,
	onEnd: (ended: Entry) => void,
): Promise<void> {
	const chains = concurrency === 1 ? [planned] : chainsOf(planned);
	// All workers take their next chain from here.
	const rest = chains.values();
	const work = async () => {
		for (const chain of rest) {
			for (const entry of chain) {
				const ended = await perform(entry, session, stopSignal);
				if (ended) onEnd(ended);
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(CHAINS_PER_REQUEST * concurrency, chains.length) }, work));
}

/**
 * Groups calls that must follow each other, as they have the same key. A call without a key is a chain of its own. Each
 * call takes the lock for itself, so that those of other executions get their turns in between.
 */
function chainsOf(planned: readonly Planned[]): Planned[][] {
	const chains = new Map<string | Planned, Planned[]>();
	for (const entry of planned) getOrCreate(chains, entry.call.key ?? entry, () => []).push(entry);
	return [...chains.values()];
}

/** Performs a call. Returns how it ended; undefined if the end of the node has stopped it before its change was sent. */
async function perform(entry: Planned, session: Session, stopSignal: AbortSignal): Promise<Entry | undefined> {
	const { key, purpose, perform: send } = entry.call;
	const work = async () => await send(session);
	if (stopSignal.aborted) return undefined;
	try {
		const lock = JSON.stringify([session.client.account.id, key]);
		const result = await (key === undefined ? work() : locked(lock, work, stopSignal));
		return { ...entry, result };
	} catch (error) {
		const failure = error instanceof Failure ? error : unexpected(error, purpose);
		return wasStoppedInTime(failure) ? undefined : { ...entry, failure: failure.with({ call: purpose }) };
	}
}

/** Returns the failure of a call that ended with an error of n8n, or of ours. It may have sent its request. */
function unexpected(error: unknown, call: Purpose): Failure {
	const outcome = isChange(call) ? 'unknown' : 'not applied';
	return requestFailure(toFailure(error).data.problem, undefined, { outcome, request: call });
}
