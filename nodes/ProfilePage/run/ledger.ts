import type { IExecuteFunctions } from 'n8n-workflow';

import { runState } from '../n8n/context';
import { Failure, mayBeRepeated } from '../shared/failure';
import type { Ending } from './perform';
import type { Task } from './plan';

/**
 * How the calls of a run ended, by their items. With Retry On Fail, n8n runs the whole node again for the same items: the
 * ledger is kept for all tries. What is not in it has changed nothing.
 */
export class Ledger {
	readonly #endings = new Map<string, { readonly indexes: readonly number[]; readonly ending: Ending }>();

	get({ indexes }: Task): Ending | undefined {
		return this.#endings.get(indexes.join())?.ending;
	}

	/** Notes how a call ended in this try. If it failed, but an earlier try may have made its change, that stays unknown. */
	add(task: Task, ending: Ending): void {
		const before = this.get(task);
		const noted = isCertain(ending) && isUncertain(before) ? ending.with(outcomeOf(before)) : ending;
		this.#endings.set(task.indexes.join(), { indexes: task.indexes, ending: noted });
	}

	/** Whether a call is to be sent: it has not succeeded, and may be repeated if its change may have been made. */
	isLeft(task: Task): boolean {
		const ending = this.get(task);
		if (!(ending instanceof Failure)) return ending === undefined;
		const { outcome, call, request } = ending.data;
		return mayBeRepeated(outcome, call, request);
	}

	/** Whether anything was changed, or may have been, in any try. A try that cannot read the items does not know which of them share a call. */
	get mayHaveChanged(): boolean {
		return [...this.#endings.values()].some(({ ending }) => !isCertain(ending));
	}

	/** The items of whose calls it is unknown whether they were applied, in any try. */
	get unknownItems(): number[] {
		return [...this.#endings.values()].flatMap(({ indexes, ending }) => (isUncertain(ending) ? indexes : []));
	}

	/** Begins another try: what certainly failed in an earlier one counts as not processed. */
	beginTry(): void {
		for (const [key, { ending }] of this.#endings) {
			if (isCertain(ending)) this.#endings.delete(key);
		}
	}
}

/** Whether it is a failure that has certainly changed nothing. */
function isCertain(ending: Ending): ending is Failure {
	return ending instanceof Failure && !isUncertain(ending);
}

/** Whether a change may have been made, although its request failed. */
export function isUncertain(ending?: Ending): ending is Failure {
	return ending instanceof Failure && ending.data.outcome === 'unknown';
}

function outcomeOf({ data: { outcome, call, request } }: Failure) {
	return { outcome, call, request };
}

const keptLedgers = runState(() => new Ledger());

/** Returns the ledger of a run, which all tries share; a new one without Retry On Fail. */
export function ledgerOf(context: IExecuteFunctions): Ledger {
	const ledger = context.getNode().retryOnFail ? keptLedgers(context) : new Ledger();
	ledger.beginTry();
	return ledger;
}
