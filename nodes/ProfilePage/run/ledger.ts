import type { IExecuteFunctions } from 'n8n-workflow';

import { runState } from '../n8n/context';
import type { Failure } from '../shared/failure';
import type { Ending } from './perform';
import type { Task } from './plan';

/**
 * How the calls of a run ended, by their items. With Retry On Fail, n8n runs the whole node again for the same items:
 * the ledger is kept for all tries.
 */
export class Ledger {
	readonly #endings = new Map<string, Ending>();

	get({ indexes }: Task): Ending | undefined {
		return this.#endings.get(indexes.join());
	}

	stateOf(task: Task): Ending['state'] {
		return this.get(task)?.state ?? 'not sent';
	}

	/**
	 * Notes how a call ended in this try, and returns what is known of it now: if it failed, but an earlier try may have made
	 * its change, its outcome stays unknown.
	 */
	add(task: Task, ending: Ending): Ending {
		const before = this.get(task);
		const isFailure = ending.state === 'failed' || ending.state === 'not sent';
		const isStillUnknown = isFailure && before?.state === 'unknown';
		const noted: Ending = isStillUnknown ? { ...ending, state: 'unknown', uncertain: before.uncertain } : ending;
		this.#endings.set(task.indexes.join(), noted);
		return noted;
	}

	/** Notes why items cannot be sent in this try, unless their earlier result stands. */
	addInvalid(task: Task, failure: Failure): void {
		if (this.isLeft(task)) this.add(task, { state: 'failed', failure });
	}

	/** Whether a call is to be sent: it has not succeeded, and may be repeated if it may have been applied. */
	isLeft(task: Task): boolean {
		const ending = this.get(task);
		return ending?.state === 'unknown' ? ending.uncertain.isRepeatable : ending?.state !== 'succeeded';
	}
}

const keptLedgers = runState(() => new Ledger());

/** Returns the ledger of a run, which all tries share; a new one without Retry On Fail. */
export function ledgerOf(context: IExecuteFunctions): Ledger {
	return context.getNode().retryOnFail ? keptLedgers(context) : new Ledger();
}
