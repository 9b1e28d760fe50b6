import type { IExecuteFunctions } from 'n8n-workflow';

import { runState } from '../n8n/context';
import type { Call, CallResult, PlannedCall } from '../resources/operation';
import { type Ended, type Failure, wantedOf } from '../service/failure';
import type { Purpose } from '../service/request';

/** The part of a call that the ledger reads. */
type CallId = Pick<PlannedCall, 'inputs' | 'purpose'>;

/** What became of a call, as a report says it. */
export type Ending = 'succeeded' | 'failed' | 'not sent';

/**
 * How the calls of a run ended, by their items. With Retry On Fail, n8n runs the whole node again for the same items:
 * the ledger is kept for all tries.
 */
export class Ledger {
	readonly #ended = new Map<string, Ended<CallResult>>();

	get(call: CallId): Ended<CallResult> | undefined {
		return this.#ended.get(idOf(call));
	}

	/** Returns why a call failed; undefined if it did not. */
	failureOf(call: CallId): Failure | undefined {
		const ended = this.get(call);
		return ended?.outcome === 'done' ? undefined : ended;
	}

	/** Returns what became of a call: "not sent" if the node ended first. */
	endingOf(call: CallId): Ending {
		const ended = this.get(call);
		if (!ended || (ended.outcome === 'not applied' && ended.kind === 'stopped')) return 'not sent';
		return ended.outcome === 'done' ? 'succeeded' : 'failed';
	}

	/**
	 * Notes how a call ended in this try, and returns what is known of it now: if it failed, but an earlier try performed
	 * it, or may have, its outcome is unknown.
	 */
	add(call: CallId, ended: Ended<CallResult>): Ended<CallResult> {
		const before = this.get(call);
		const mayBeDone = before !== undefined && before.outcome !== 'not applied';
		const known = mayBeDone && ended.outcome !== 'done' ? unknownSince(before, ended, call.purpose) : ended;
		this.#ended.set(idOf(call), known);
		return known;
	}

	/** Notes why a call cannot be sent in this try, unless its earlier result stands. Returns what is known of the call. */
	addUnsendable(call: CallId, failure: Failure): Ended<CallResult> {
		const before = this.get(call);
		return before && !isLeft(before) ? before : this.add(call, failure);
	}

	/**
	 * Returns the calls that are left. If a call is sent again, so are later calls with the same key that succeeded in an
	 * earlier try, as far as they may be repeated: of two orders of a page, the last one must win.
	 */
	leftOf<C extends Call>(calls: readonly C[]): C[] {
		const keys = new Set<string | undefined>();
		return calls.filter((call) => {
			const ended = this.get(call);
			const { key } = call;
			if (isLeft(ended)) keys.add(key);
			const follows = key !== undefined && keys.has(key) && ended?.outcome === 'done';
			return isLeft(ended) || (follows && mayBeRepeated(call));
		});
	}
}

function idOf({ inputs }: CallId): string {
	return inputs.map(({ index }) => index).join();
}

/** Returns the failure of a call that may have been performed in an earlier try: its outcome is unknown. */
function unknownSince(before: Ended<CallResult>, failure: Failure, purpose?: Purpose): Failure {
	if (failure.outcome === 'unknown') return failure;
	const wanted = before.outcome === 'done' ? purpose : wantedOf(before);
	return { ...failure, outcome: 'unknown', wanted };
}

/** Whether a call is to be sent: it has not succeeded, and its request may be sent again without harm. */
function isLeft(ended: Ended<CallResult> | undefined): boolean {
	if (ended?.outcome === 'done') return false;
	return ended?.outcome !== 'unknown' || wantedOf(ended)?.idempotent === true;
}

/**
 * Whether a call may be performed again, though its request was or may have been applied.
 *
 * @param sentPurpose that of the request that was sent, if it was another one
 */
export function mayBeRepeated({ purpose, repeatable }: Call, sentPurpose = purpose): boolean {
	return sentPurpose.idempotent && repeatable;
}

const keptLedgers = runState(() => new Ledger());

/** Returns the ledger of a run, which all tries share; a new one without Retry On Fail. */
export function ledgerOf(context: IExecuteFunctions): Ledger {
	return context.getNode().retryOnFail ? keptLedgers(context) : new Ledger();
}
