import type { IExecuteFunctions } from 'n8n-workflow';

import { runState } from '../n8n/context';
import type { Call, CallResult } from '../resources/operation';
import { type Failure, mayBeRepeated } from '../shared/failure';

/** What became of some input items: the result of their call, or its failure; or why no call could be planned for them. */
export interface Entry {
	readonly indexes: readonly number[];
	readonly call?: Call;
	readonly result?: CallResult;
	readonly failure?: Failure;
}

/**
 * What became of each input item. With Retry On Fail, n8n runs the whole node again for the same items: the ledger is kept
 * for all tries, and each sends only what is left.
 */
export class Ledger {
	readonly #byItem = new Map<number, Entry>();

	/** The entries, in the order of their first items. */
	get entries(): Entry[] {
		const inOrder = [...this.#byItem].sort(([one], [other]) => one - other);
		return [...new Set(inOrder.map(([, entry]) => entry))];
	}

	/** Whether an item is to be sent. */
	isLeft(index: number): boolean {
		const entry = this.#byItem.get(index);
		return !entry || !isFinal(entry);
	}

	/** Adds an entry, and returns it. If it failed, but an earlier try may have made its change, that stays unknown. */
	add(entry: Entry): Entry {
		const { indexes, failure } = entry;
		const before = indexes.map((index) => this.#byItem.get(index)?.failure).find(isUncertain);
		const isStillUnknown = before && failure?.data.outcome === 'not applied';
		const added = isStillUnknown ? { ...entry, failure: failure.with(changeOf(before)) } : entry;
		for (const index of indexes) this.#byItem.set(index, added);
		return added;
	}
}

/** Whether a call is not sent again: it succeeded, or its change may have been made and may not be repeated. */
export function isFinal({ failure }: Entry): boolean {
	if (!failure) return true;
	const { outcome, call } = failure.data;
	return !mayBeRepeated(outcome, call);
}

/** Whether a change may have been made, although its request failed. */
export function isUncertain(failure?: Failure): failure is Failure {
	return failure?.data.outcome === 'unknown';
}

/** Returns what a failure says of its change. */
function changeOf({ data: { outcome, call, request } }: Failure) {
	return { outcome, call, request };
}

const keptLedgers = runState(() => new Ledger());

/** Returns the ledger of a run, which all its tries share. */
export function ledgerOf(context: IExecuteFunctions): Ledger {
	return context.getNode().retryOnFail ? keptLedgers(context) : new Ledger();
}
