import type { IExecuteFunctions } from 'n8n-workflow';

import { runState } from '../n8n/context';
import type { UncertainChange } from '../service/words';
import { Failure } from '../shared/failure';
import type { Ending } from './perform';
import type { Task, ValidTask } from './plan';

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
	 * Notes how a call ended in this try, and returns what is known of it now: if it failed, but an earlier try performed
	 * it, or may have, its outcome is unknown.
	 */
	add(task: Task, ending: Ending): Ending {
		const known = sinceBefore(ending, this.get(task), task);
		this.#endings.set(task.indexes.join(), known);
		return known;
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

	/**
	 * Returns the calls that are left. If a call is sent again, so are later calls with the same key that succeeded in an
	 * earlier try, as far as they may be repeated: of two orders of a page, the last one must win.
	 */
	leftOf(tasks: readonly ValidTask[]): ValidTask[] {
		const keys = new Set<string | undefined>();
		return tasks.filter((task) => {
			const { turn, purpose } = task.call;
			if (this.isLeft(task)) {
				keys.add(turn?.key);
				return true;
			}
			return turn && keys.has(turn.key) && this.stateOf(task) === 'succeeded' && purpose.repeat === 'always';
		});
	}
}

function sinceBefore(ending: Ending, before: Ending | undefined, task: Task): Ending {
	const uncertain = uncertainOf(before, task);
	const isKnown = ending.state === 'succeeded' || ending.state === 'unknown' || uncertain === undefined;
	return isKnown ? ending : { ...ending, state: 'unknown', uncertain };
}

function uncertainOf(before: Ending | undefined, { call }: Task): UncertainChange | undefined {
	if (before?.state !== 'succeeded') return before?.uncertain;
	return call instanceof Failure
		? undefined
		: { purpose: call.purpose, isRepeatable: call.purpose.repeat === 'always' };
}

const keptLedgers = runState(() => new Ledger());

/** Returns the ledger of a run, which all tries share; a new one without Retry On Fail. */
export function ledgerOf(context: IExecuteFunctions): Ledger {
	return context.getNode().retryOnFail ? keptLedgers(context) : new Ledger();
}
