import type { IExecuteFunctions } from 'n8n-workflow';

import type { Call, CallResult } from '../resources/operation';
import { type Failure, mayBeRepeated } from '../shared/failure';
import { getOrCreate } from '../shared/values';

/** Some input items, the call for them, and how it ended: with a result or a failure. If none could be planned, it has a failure alone. */
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

	/** Returns the indexes of the items whose entry passes a test, in their order. */
	itemsWith(test: (entry: Entry) => boolean): number[] {
		const passing = [...this.#byItem].filter(([, entry]) => test(entry));
		return passing.map(([index]) => index).sort((one, other) => one - other);
	}

	/** Whether an item is to be sent. */
	isLeft(index: number): boolean {
		const entry = this.#byItem.get(index);
		return !entry || !isFinal(entry);
	}

	/** Adds an entry, and returns it. A change that an earlier try may have made stays unknown, even if a later request of it certainly failed. */
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
	return !failure || !mayBeRepeated(failure.data.outcome, failure.data.call);
}

/** Whether a change may have been made, although its request failed. */
export function isUncertain(failure?: Failure): failure is Failure {
	return failure?.data.outcome === 'unknown';
}

/** Returns what a failure says of its change. */
function changeOf({ data: { outcome, call, request } }: Failure) {
	return { outcome, call, request };
}

/** By the first input item of a run, of which n8n makes a copy for each run, but not for each try. */
const ledgers = new WeakMap<object, Ledger>();

/** Returns the ledger of a run, which all its tries share. */
export function ledgerOf(context: IExecuteFunctions): Ledger {
	const [firstItem = {}] = context.getInputData();
	return context.getNode().retryOnFail ? getOrCreate(ledgers, firstItem, () => new Ledger()) : new Ledger();
}
