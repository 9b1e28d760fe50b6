import type { IExecuteFunctions } from 'n8n-workflow';

import { runState } from '../n8n/context';
import type { Call, CallResult, PlannedCall } from '../resources/operation';
import { changeOf, type Ended, type Failure } from '../service/failure';
import type { Purpose } from '../service/request';

/** What identifies a call in all tries, and its purpose if it is known. */
type Entry = Pick<PlannedCall, 'inputs' | 'purpose'>;

/**
 * How the calls of a run ended, by their items. With Retry On Fail, n8n runs the whole node again for the same items:
 * the ledger is kept for all tries.
 */
export class Ledger {
	readonly #ended = new Map<string, Ended<CallResult>>();

	get(call: Entry): Ended<CallResult> | undefined {
		return this.#ended.get(keyOf(call));
	}

	/** Returns why a call failed; undefined if it did not. */
	failureAt(call: Entry): Failure | undefined {
		const ended = this.get(call);
		return ended?.outcome === 'done' ? undefined : ended;
	}

	/**
	 * Notes how a call ended in this try, and returns what is known of it now: if it failed, but an earlier try performed
	 * it, or may have, its outcome is unknown.
	 */
	add(call: Entry, ended: Ended<CallResult>): Ended<CallResult> {
		const before = this.get(call);
		const mayBeDone = before !== undefined && before.outcome !== 'not applied';
		const known = mayBeDone && ended.outcome !== 'done' ? unknownSince(before, ended, call.purpose) : ended;
		this.#ended.set(keyOf(call), known);
		return known;
	}
}

/** The same for the same items. The first is the one that an error is reported on, in any try another. */
function keyOf({ inputs }: Entry): string {
	const indexes = inputs.map(({ index }) => index);
	return indexes.sort((a, b) => a - b).join();
}

const keptLedgers = runState(() => new Ledger());

/** Returns the ledger of a run, which all tries share; a new one without Retry On Fail. */
export function ledgerOf(context: IExecuteFunctions): Ledger {
	return context.getNode().retryOnFail ? keptLedgers(context) : new Ledger();
}

/** Returns the failure of a call that may have been performed in an earlier try: its outcome is unknown. */
function unknownSince(before: Ended<CallResult>, failure: Failure, purpose?: Purpose): Failure {
	if (failure.outcome === 'unknown') return failure;
	const change = before.outcome === 'done' ? purpose : changeOf(before);
	return { ...failure, outcome: 'unknown', change };
}

/** Whether a call was not sent because the node ended before. */
export function isUnsent(ended: Ended<CallResult> | undefined): boolean {
	return !ended || (ended.outcome === 'not applied' && ended.kind === 'stopped');
}

/** Whether a call is to be sent: it has not succeeded, and may be sent again without harm. */
export function isLeft(ended: Ended<CallResult> | undefined): boolean {
	if (ended?.outcome === 'done') return false;
	return ended?.outcome !== 'unknown' || changeOf(ended)?.idempotent === true;
}

/**
 * Whether a call may be performed again, though its request was or may have been applied.
 *
 * @param sent the purpose of the request that was sent, if it is not that of the call
 */
export function mayBeRepeated({ purpose, repeatable }: Call, sent = purpose): boolean {
	return sent.idempotent && repeatable;
}

/**
 * Returns the calls that are left. If a call is sent again, so are later calls with the same key that succeeded in an
 * earlier try, as far as they may be repeated: of two orders of a page, the last one must win.
 */
export function leftOf<C extends Call>(calls: readonly C[], ledger: Ledger): C[] {
	const keys = new Set<string | undefined>();
	return calls.filter((call) => {
		const ended = ledger.get(call);
		const { key } = call;
		if (isLeft(ended)) keys.add(key);
		const follows = key !== undefined && keys.has(key) && ended?.outcome === 'done';
		return isLeft(ended) || (follows && mayBeRepeated(call));
	});
}
