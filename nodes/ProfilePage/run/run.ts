import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { readItems } from '../fields/item';
import type { Credential } from '../n8n/apps/app';
import { isTool } from '../n8n/context';
import { pathsOf, readCredentials } from '../n8n/credential';
import { toErrorItem, toNodeError } from '../n8n/errors';
import {
	type Call,
	type CallResult,
	type InvalidItem,
	isInvalid,
	type Operation,
	type PlannedCall,
} from '../resources/operation';
import { readOptions, type SendOptions } from '../resources/options';
import { changeOf, type Ended, type Failure, settle, STOPPED } from '../service/failure';
import { Clients } from './clients';
import { isLeft, isUnsent, type Ledger, ledgerOf, leftOf, mayBeRepeated } from './ledger';
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
	const items = readItems(context);
	const [first] = items;
	if (!first) return [];
	const planned = operation.plan(items);
	const options = settle(() => readOptions(first));
	const thisTry = new Try(context, planned);
	if (options.outcome === 'done') {
		thisTry.addInvalid(planned.filter(isInvalid));
		await thisTry.sendAll(options.result);
	} else {
		// The options apply to all items.
		thisTry.addInvalid(planned.map(({ itemIndexes }) => ({ itemIndexes, failure: options })));
	}
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
		this.#calls = planned.filter((each): each is Call => !isInvalid(each));
		this.#ledger = ledgerOf(context);
	}

	/**
	 * Notes the failures of invalid items, unless an earlier try has sent their calls, and may not send them again.
	 *
	 * @throws NodeOperationError if there is one, unless the node continues on fail
	 */
	addInvalid(items: readonly InvalidItem[]): void {
		for (const item of items) {
			const before = this.#ledger.get(item);
			const known = before && !isLeft(before) ? before : this.#ledger.add(item, item.failure);
			if (known.outcome === 'done' || this.#context.continueOnFail()) continue;
			throw this.#toError(known, item);
		}
	}

	/**
	 * Sends the calls that are left.
	 *
	 * @throws NodeApiError or NodeOperationError if the execution was canceled, or a call failed and ends the node
	 */
	async sendAll(options: SendOptions): Promise<void> {
		const left = leftOf(this.#calls, this.#ledger);
		const failed = this.#failedBefore(left) ?? (await this.#send(left, options));
		if (this.#context.getExecutionCancelSignal()?.aborted) throw this.#toError(STOPPED);
		const failure = failed && this.#ledger.failureAt(failed);
		if (failure && !this.#isReturned(failed, failure)) throw this.#toError(failure, failed);
	}

	/** Returns a call that failed in an earlier try, and is not sent again. It ends the node, unless that continues on fail. */
	#failedBefore(left: readonly Call[]): Call | undefined {
		if (this.#context.continueOnFail()) return undefined;
		const isLeftNow = new Set(left);
		return this.#calls.find((call) => !isLeftNow.has(call) && this.#ledger.failureAt(call));
	}

	/** Sends calls until one of them fails and ends the node. Returns that call. */
	async #send(calls: readonly Call[], options: SendOptions): Promise<Call | undefined> {
		const credentials = await this.#readCredentials(calls);
		const clients = new Clients(this.#context, options);
		/** The first of them ends the node. */
		const failed: Call[] = [];
		const record = (call: Call, ended: Ended<CallResult>) => {
			const known = this.#ledger.add(call, ended);
			const isFailed = known.outcome !== 'done' && known.kind !== 'stopped';
			if (isFailed && !this.#context.continueOnFail()) failed.push(call);
		};
		for (const [call, credential] of credentials) {
			const isUnusable = credential.outcome !== 'done' && credential.kind !== 'stopped';
			if (isUnusable) record(call, { ...credential, purpose: call.purpose });
		}
		const send = async ([call, credential]: [Call, Ended<Credential>]) => {
			if (credential.outcome === 'done') record(call, await clients.perform(call, credential.result));
		};
		if (failed.length === 0) await Promise.all(Array.from(credentials, send));
		return failed[0];
	}

	/** Reads the credential of each call. Fails if the call cannot be performed with the paths in it. */
	async #readCredentials(calls: readonly Call[]): Promise<Map<Call, Ended<Credential>>> {
		const credentials = await readCredentials(this.#context, calls);
		for (const [call, credential] of credentials) {
			if (credential.outcome !== 'done') continue;
			const checked = settle(() => call.check?.(pathsOf(credential.result)));
			if (checked.outcome !== 'done') credentials.set(call, checked);
		}
		return credentials;
	}

	/**
	 * Whether a failure is returned as an item, because n8n would repeat the request if it were thrown: tries of an AI
	 * tool look like further calls of the tool.
	 */
	#isReturned(call: Call, failure: Failure): boolean {
		const isRetriedTool = isTool(this.#context) && this.#context.getNode().retryOnFail === true;
		return isRetriedTool && failure.outcome === 'unknown' && !mayBeRepeated(call, changeOf(failure));
	}

	/** Returns the error that ends the node, with a report on all calls. */
	#toError(failure: Failure, planned?: PlannedCall): Error {
		// The editor adds the index of the item to the message. Of a single item, that says nothing.
		const itemIndex = this.#planned.length > 1 ? (planned?.itemIndexes[0] ?? 0) : undefined;
		return toNodeError(this.#context.getNode(), failure, itemIndex, {
			hasOptions: true,
			...report(this.#calls, this.#ledger, planned),
		});
	}

	/** Returns the output of all planned calls, in their order, and shows warnings and notes. */
	output(): INodeExecutionData[] {
		const endings = this.#planned.map((each) => ({ itemIndex: each.itemIndexes[0], ended: this.#ledger.get(each) }));
		showHints(this.#context, endings);
		const node = this.#context.getNode();
		return endings.flatMap(({ itemIndex, ended }) => {
			if (ended?.outcome === 'done') return ended.result.items.map(withoutErrorField);
			return !ended || isUnsent(ended) ? [] : [toErrorItem(node, ended, itemIndex)];
		});
	}
}

/** n8n treats an item with a field `error`, or `$error` and `$json`, as a failure, and may run the node again because of it. */
function withoutErrorField(item: INodeExecutionData): INodeExecutionData {
	if (!('error' in item.json || '$error' in item.json)) return item;
	const { error, $error = null, ...json } = item.json;
	return { ...item, json: { ...json, service_error: error ?? $error } };
}
