import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { loadItems } from '../fields/item';
import { isTool } from '../n8n/context';
import { toErrorItem, toNodeError } from '../n8n/errors';
import { type Call, isCall, type Operation, type PlannedCall, reportedItem } from '../resources/operation';
import { type NodeOptions, readOptions } from '../resources/options';
import { type Failure, settle, STOPPED, wantedOf } from '../service/failure';
import { type Ledger, ledgerOf, mayBeRepeated } from './ledger';
import { performAll } from './perform';
import { report, showHints } from './report';

/**
 * Runs an operation on all input items. Everything is read before anything is sent, so that an invalid item stops
 * the node before it has changed anything.
 *
 * With Retry On Fail, n8n runs it again for the same items. What succeeded is not sent again, nor is a request that is
 * not idempotent and may have been applied: its output or its error is returned once more.
 *
 * @returns the output in the order of the input; with Continue on Fail, an error item for each call that failed
 * @throws NodeOperationError for invalid parameters, NodeApiError for a request that failed; each has the index of
 *   its item, and reports what became of the others
 */
export async function runOperation(context: IExecuteFunctions, operation: Operation): Promise<INodeExecutionData[]> {
	const items = await loadItems(context);
	const [first] = items;
	if (!first) return [];
	const planned = operation.plan(items);
	// They apply to all items.
	const options = settle(() => readOptions(first));
	const isUsable = options.outcome === 'done';
	const thisTry = new Try(
		context,
		isUsable ? planned : planned.map((each) => ({ ...each, failure: options, itemAtFault: undefined })),
	);
	thisTry.addInvalid();
	if (isUsable) await thisTry.sendAll(options.result);
	return thisTry.output();
}

/** One try of the node: its planned calls, and how they end. */
class Try {
	readonly #context: IExecuteFunctions;
	readonly #planned: readonly PlannedCall[];
	readonly #calls: readonly Call[];
	readonly #ledger: Ledger;

	constructor(context: IExecuteFunctions, planned: readonly PlannedCall[]) {
		this.#context = context;
		this.#planned = planned;
		this.#calls = planned.filter(isCall);
		this.#ledger = ledgerOf(context);
	}

	/**
	 * Notes why some items cannot be sent, unless an earlier try has sent them, and they may not be sent again.
	 *
	 * @throws NodeOperationError if there is one, unless the node continues on fail
	 */
	addInvalid(): void {
		for (const each of this.#planned) {
			if (isCall(each)) continue;
			const known = this.#ledger.addUnsendable(each, each.failure);
			if (known.outcome === 'done' || this.#context.continueOnFail()) continue;
			throw this.#toError(known, each);
		}
	}

	/**
	 * Sends the calls that are left.
	 *
	 * @throws NodeApiError or NodeOperationError if the execution was canceled, or a call failed and ends the node
	 */
	async sendAll(options: NodeOptions): Promise<void> {
		const left = this.#ledger.leftOf(this.#calls);
		const failed = this.#failedBefore(left) ?? (await performAll(this.#context, left, options, this.#ledger));
		if (this.#context.getExecutionCancelSignal()?.aborted) throw this.#toError(STOPPED);
		const failure = failed && this.#ledger.failureOf(failed);
		if (failure && !this.#mustNotBeRetried(failed, failure)) throw this.#toError(failure, failed);
	}

	/** Returns a call that failed in an earlier try, and is not sent again. It ends the node, unless the node continues on fail. */
	#failedBefore(left: readonly Call[]): Call | undefined {
		if (this.#context.continueOnFail()) return undefined;
		const isLeftNow = new Set(left);
		return this.#calls.find((call) => !isLeftNow.has(call) && this.#ledger.failureOf(call));
	}

	/**
	 * Whether a failure is returned as an item, because n8n must not run the node again: the next try of an AI tool looks
	 * like another call of the tool, and would send the request again.
	 */
	#mustNotBeRetried(call: Call, failure: Failure): boolean {
		const isRetriedTool = isTool(this.#context) && this.#context.getNode().retryOnFail === true;
		return isRetriedTool && failure.outcome === 'unknown' && !mayBeRepeated(call, wantedOf(failure));
	}

	/** Returns the error that ends the node, with a report on all calls. */
	#toError(failure: Failure, planned?: PlannedCall): Error {
		// The editor adds the index of the item to the message. For a single item, it is noise.
		const itemIndex = this.#planned.length > 1 ? (planned ? reportedItem(planned).index : 0) : undefined;
		return toNodeError(this.#context.getNode(), failure, itemIndex, {
			hasOptions: true,
			...report(this.#planned, this.#ledger, planned),
		});
	}

	/** Returns the output of all planned calls, in their order, and shows warnings and notes. */
	output(): INodeExecutionData[] {
		const node = this.#context.getNode();
		showHints(this.#context, this.#planned, this.#ledger);
		return this.#planned.flatMap((each) => {
			const ended = this.#ledger.get(each);
			if (ended?.outcome === 'done') return ended.result.items.map(withoutErrorField);
			const isFailed = this.#ledger.endingOf(each) === 'failed';
			return ended && isFailed ? [toErrorItem(node, ended, reportedItem(each).index)] : [];
		});
	}
}

/** n8n treats an item with a field `error`, or `$error` and `$json`, as a failure, and may run the node again because of it. */
function withoutErrorField(item: INodeExecutionData): INodeExecutionData {
	if (!('error' in item.json || '$error' in item.json)) return item;
	const { error, $error = null, ...json } = item.json;
	return { ...item, json: { ...json, service_error: error ?? $error } };
}
