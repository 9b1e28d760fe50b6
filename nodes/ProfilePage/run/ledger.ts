import type { IExecuteFunctions } from 'n8n-workflow';

import { runState } from '../n8n/context';
import type { Failure } from '../service/failure';
import type { Purpose } from '../service/request';
import type { Ending } from './perform';
import { isCall, type Planned, type PlannedCall } from './plan';

/**
 * How the calls of a run ended, by their items. With Retry On Fail, n8n runs the whole node again for the same items:
 * the ledger is kept for all tries.
 */
export class Ledger {
	readonly #endings = new Map<string, Ending>();

	get({ indexes }: Planned): Ending | undefined {
		return this.#endings.get(indexes.join());
	}

	stateOf(planned: Planned): Ending['state'] {
		return this.get(planned)?.state ?? 'not sent';
	}

	/**
	 * Notes how a call ended in this try, and returns what is known of it now: if it failed, but an earlier try performed
	 * it, or may have, its outcome is unknown.
	 */
	add(planned: Planned, ending: Ending): Ending {
		const known = sinceBefore(ending, this.get(planned), planned);
		this.#endings.set(planned.indexes.join(), known);
		return known;
	}

	/** Notes why items cannot be sent in this try, unless their earlier result stands. */
	addInvalid(planned: Planned, failure: Failure): void {
		if (this.isLeft(planned)) this.add(planned, { state: 'failed', failure });
	}

	/** Whether a call is to be sent: it has not succeeded, and may be repeated if it may have been applied. */
	isLeft(planned: Planned): boolean {
		const ending = this.get(planned);
		return ending?.state === 'unknown' ? ending.change.idempotent : ending?.state !== 'succeeded';
	}

	/**
	 * Returns the calls that are left. If a call is sent again, so are later calls with the same key that succeeded in an
	 * earlier try, as far as they may be repeated: of two orders of a page, the last one must win.
	 */
	leftOf(planned: readonly PlannedCall[]): PlannedCall[] {
		const keys = new Set<string | undefined>();
		return planned.filter((each) => {
			const { key, purpose } = each.call;
			if (this.isLeft(each)) {
				keys.add(key);
				return true;
			}
			return key !== undefined && keys.has(key) && this.stateOf(each) === 'succeeded' && purpose.idempotent;
		});
	}
}

function sinceBefore(ending: Ending, before: Ending | undefined, planned: Planned): Ending {
	const change = changeOf(before, planned);
	const isKnown = ending.state === 'succeeded' || ending.state === 'unknown' || change === undefined;
	return isKnown ? ending : { ...ending, state: 'unknown', change };
}

function changeOf(before: Ending | undefined, planned: Planned): Purpose | undefined {
	if (before?.state === 'unknown') return before.change;
	return before?.state === 'succeeded' && isCall(planned) ? planned.call.purpose : undefined;
}

const keptLedgers = runState(() => new Ledger());

/** Returns the ledger of a run, which all tries share; a new one without Retry On Fail. */
export function ledgerOf(context: IExecuteFunctions): Ledger {
	return context.getNode().retryOnFail ? keptLedgers(context) : new Ledger();
}
