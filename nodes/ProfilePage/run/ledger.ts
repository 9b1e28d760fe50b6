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
	readonly #endings = new Map<string, Ending>();

	get({ indexes }: Task): Ending | undefined {
		return this.#endings.get(indexes.join());
	}

	/** Notes how a call ended in this try. If it failed, but an earlier try may have made its change, that stays unknown. */
	add(task: Task, ending: Ending): void {
		const before = this.get(task);
		const { call, uncertain } = before instanceof Failure ? before.data : {};
		const isStillUnknown = ending instanceof Failure && ending.data.uncertain === undefined && uncertain;
		const noted = isStillUnknown ? ending.with({ outcome: 'unknown', call, uncertain }) : ending;
		this.#endings.set(task.indexes.join(), noted);
	}

	/** Whether a call is to be sent: it has not succeeded, and may be repeated if its change may have been made. */
	isLeft(task: Task): boolean {
		const ending = this.get(task);
		if (!(ending instanceof Failure)) return ending === undefined;
		return ending.data.uncertain === undefined || mayBeRepeated(ending.data);
	}

	/** Begins another try: what certainly failed in an earlier one counts as not processed. */
	beginTry(): void {
		for (const [key, ending] of this.#endings) {
			if (ending instanceof Failure && ending.data.uncertain === undefined) this.#endings.delete(key);
		}
	}
}

const keptLedgers = runState(() => new Ledger());

/** Returns the ledger of a run, which all tries share; a new one without Retry On Fail. */
export function ledgerOf(context: IExecuteFunctions): Ledger {
	const ledger = context.getNode().retryOnFail ? keptLedgers(context) : new Ledger();
	ledger.beginTry();
	return ledger;
}
