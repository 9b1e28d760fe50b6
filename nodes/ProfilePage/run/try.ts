import type { IExecuteFunctions } from 'n8n-workflow';

import { isTool } from '../n8n/context';
import { toNodeError } from '../n8n/errors';
import { type Failure, stopped } from '../shared/failure';
import { type Entry, isUncertain, type Ledger, ledgerOf } from './ledger';
import { reportRun } from './report';

/** One try of a run. Unless the node continues on fail, the first failure ends it. */
export class Try {
	readonly context: IExecuteFunctions;
	readonly ledger: Ledger;
	/** Aborts when the node ends or the execution is canceled, after which nothing more may be sent. */
	readonly stopSignal: AbortSignal;
	readonly #nodeEnds = new AbortController();
	#failed?: Entry;

	constructor(context: IExecuteFunctions) {
		this.context = context;
		this.ledger = ledgerOf(context);
		const cancelSignal = context.getExecutionCancelSignal();
		this.stopSignal = AbortSignal.any([this.#nodeEnds.signal, ...(cancelSignal ? [cancelSignal] : [])]);
	}

	/** Adds an entry to the ledger. */
	add(entry: Entry): void {
		this.endIfFailed(this.ledger.add(entry));
	}

	/** Ends the node if an entry has failed. Requests in flight are allowed to finish. */
	endIfFailed(entry: Entry): void {
		if (!entry.failure || this.context.continueOnFail()) return;
		this.#failed ??= entry;
		this.#nodeEnds.abort();
	}

	/** Throws an error if the execution was canceled, or the node has ended. */
	throwIfEnded(): void {
		if (this.context.getExecutionCancelSignal()?.aborted) throw this.#toError(stopped());
		const { failure } = this.#failed ?? {};
		// The next try of an AI tool looks like another call of the tool, and would send a change again that may have been made.
		const isReturned = isTool(this.context) && isUncertain(failure);
		if (failure && !isReturned) throw this.#toError(failure, this.#failed);
	}

	#toError(failure: Failure, failed?: Entry): Error {
		return toNodeError(this.context.getNode(), failure, reportRun(this.context, this.ledger, failed));
	}
}
