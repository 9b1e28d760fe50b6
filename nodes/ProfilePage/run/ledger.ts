import type { IExecuteFunctions } from 'n8n-workflow';

import { runState } from '../n8n/context';
import { Failure } from '../service/failure';
import type { Ended } from './perform';
import { isCall, type Planned, type PlannedCall } from './plan';

/** What became of a call, as a report says it. */
type Ending = 'succeeded' | 'failed' | 'not sent';

/**
 * How the calls of a run ended, by their items. With Retry On Fail, n8n runs the whole node again for the same items:
 * the ledger is kept for all tries.
 */
export class Ledger {
	readonly #ended = new Map<string, Ended>();

	get({ indexes }: Planned): Ended | undefined {
		return this.#ended.get(indexes.join());
	}

	/** Returns why a call failed; undefined if it did not. */
	failureOf(planned: Planned): Failure | undefined {
		const ended = this.get(planned);
		return ended instanceof Failure ? ended : undefined;
	}

	/** Returns what became of a call: "not sent" if the node ended first. */
	endingOf(planned: Planned): Ending {
		const ended = this.get(planned);
		if (!ended) return 'not sent';
		if (!(ended instanceof Failure)) return 'succeeded';
		const { outcome, kind } = ended.data;
		return outcome === 'not applied' && kind === 'stopped' ? 'not sent' : 'failed';
	}

	/**
	 * Notes how a call ended in this try, and returns what is known of it now: if it failed, but an earlier try performed
	 * it, or may have, its outcome is unknown.
	 */
	add(planned: Planned, ended: Ended): Ended {
		const before = this.get(planned);
		const known = ended instanceof Failure ? sinceBefore(ended, before, planned) : ended;
		this.#ended.set(planned.indexes.join(), known);
		return known;
	}

	/** Notes why items cannot be sent in this try, unless their earlier result stands. */
	addInvalid(planned: Planned, failure: Failure): void {
		if (this.isLeft(planned)) this.add(planned, failure);
	}

	/** Whether a call is to be sent: it has not succeeded, and may be repeated if it may have been applied. */
	isLeft(planned: Planned): boolean {
		const ended = this.get(planned);
		if (!ended) return true;
		if (!(ended instanceof Failure)) return false;
		return ended.data.outcome !== 'unknown' || ended.data.wanted?.idempotent === true;
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
			return key !== undefined && keys.has(key) && !this.failureOf(each) && purpose.idempotent;
		});
	}
}

/** Returns the failure of a call that may have been performed in an earlier try: its outcome is unknown. */
function sinceBefore(failure: Failure, before: Ended | undefined, planned: Planned): Failure {
	const mayBeDone = before !== undefined && !(before instanceof Failure && before.data.outcome === 'not applied');
	if (!mayBeDone || failure.data.outcome === 'unknown') return failure;
	const purpose = isCall(planned) ? planned.call.purpose : undefined;
	return failure.with({ outcome: 'unknown', wanted: before instanceof Failure ? before.data.wanted : purpose });
}

const keptLedgers = runState(() => new Ledger());

/** Returns the ledger of a run, which all tries share; a new one without Retry On Fail. */
export function ledgerOf(context: IExecuteFunctions): Ledger {
	return context.getNode().retryOnFail ? keptLedgers(context) : new Ledger();
}
