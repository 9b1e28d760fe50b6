import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isInvalid, type Item, readItems } from '../item/item';
import { failureOf, toErrorItem, toNodeError } from '../n8n/errors';
import type { Call, Operation, PlannedCall } from '../resources/operation';
import { readOptions, type SendOptions } from '../resources/options';
import { type Failure, STOPPED } from '../service/types';
import { isTool } from '../shared/values';
import { Clients } from './clients';
import { showHints } from './hints';
import { isLeft, Ledger, leftOf } from './ledger';
import { report } from './report';

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
	const planned = await operation.plan(items);
	const options = readSendOptions(first);
	// The options apply to all items.
	if ('kind' in options) {
		const invalid = planned.map(({ itemIndexes }) => ({ itemIndexes, failure: options }));
		return new Run(context, invalid).collect();
	}
	return await new Run(context, planned).send(options);
}

function readSendOptions(item: Item): SendOptions | Failure {
	try {
		return readOptions(item);
	} catch (error) {
		return failureOf(error);
	}
}

/** The planned calls in one try of the node. */
class Run {
	readonly #context: IExecuteFunctions;
	readonly #planned: readonly PlannedCall[];
	readonly #calls: readonly Call[];
	readonly #ledger: Ledger;
	/** The call that ends the node. One may have failed in an earlier try, with an unknown outcome. */
	#failed?: Call;

	/** @throws NodeOperationError if there is an invalid item, unless the node continues on fail */
	constructor(context: IExecuteFunctions, planned: readonly PlannedCall[]) {
		this.#context = context;
		this.#planned = planned;
		this.#calls = planned.filter((each): each is Call => !isInvalid(each));
		this.#ledger = Ledger.of(context);
		const isFirstTry = this.#ledger.isEmpty;
		this.#ledger.startTry();
		for (const item of planned.filter(isInvalid)) {
			if (!isLeft(this.#ledger.get(item))) continue;
			const failure = this.#ledger.add(item, item.failure);
			if (context.continueOnFail()) continue;
			throw isFirstTry ? toNodeError(context.getNode(), failure, item.itemIndexes[0]) : this.#toError(failure, item);
		}
	}

	/**
	 * Sends the calls that are left, and returns the output of all.
	 *
	 * @throws NodeApiError or NodeOperationError if the execution was canceled, or a call failed and ends the node
	 */
	async send(options: SendOptions): Promise<INodeExecutionData[]> {
		const signal = this.#context.getExecutionCancelSignal();
		const clients = new Clients(this.#context, { ...options, signal });
		const left = leftOf(this.#calls, this.#ledger);
		const isSent = new Set(left);
		if (!this.#context.continueOnFail()) {
			this.#failed = this.#calls.find((call) => !isSent.has(call) && this.#ledger.failureOf(call));
		}
		const overtakable = left.filter((call) => this.#ledger.get(call)?.outcome === 'done');
		if (!this.#failed) {
			await Promise.all(left.map(async (call) => await this.#sendOne(call, clients, overtakable)));
		}
		if (signal?.aborted) throw this.#toError(STOPPED, this.#failed);
		const failure = this.#failed && this.#ledger.failureOf(this.#failed);
		if (failure && !this.#isReturned(failure)) throw this.#toError(failure, this.#failed);
		return this.collect();
	}

	/** @param overtakable the calls that succeeded in an earlier try, and are sent again after one with the same key */
	async #sendOne(call: Call, clients: Clients, overtakable: readonly Call[]): Promise<void> {
		await clients.run(call, async (client) => {
			const before = this.#ledger.get(call);
			if (before?.outcome === 'done') return;
			const earlier = before?.earlier ?? before?.request;
			const ended =
				client.outcome === 'done' ? await call.send(client.result, earlier) : { ...client, request: call.request };
			this.#ledger.add(call, ended);
			if (ended.outcome !== 'done' && ended.kind !== 'stopped' && !this.#context.continueOnFail()) {
				this.#failed ??= call;
				clients.stop();
			}
			if (ended.outcome !== 'done' && ended.outcome !== 'unknown') return;
			const [first] = call.itemIndexes;
			const isOvertaken = ({ key, itemIndexes, request }: Call) =>
				key === call.key && itemIndexes[0] > first && JSON.stringify(request) !== JSON.stringify(call.request);
			for (const later of overtakable.filter(isOvertaken)) this.#ledger.overtake(later);
		});
	}

	/**
	 * Whether a failure is returned as an item, because n8n would repeat the request if it were thrown: tries of an AI
	 * tool look like further calls of the tool.
	 */
	#isReturned({ outcome, request }: Failure): boolean {
		const isRetriedTool = isTool(this.#context) && this.#context.getNode().retryOnFail === true;
		const isHarmless = request?.idempotent !== false && this.#failed?.isRepeatable !== false;
		return isRetriedTool && outcome === 'unknown' && !isHarmless;
	}

	#toError(failure: Failure, planned?: PlannedCall): Error {
		const thrown = planned && this.#ledger.failureOf(planned) === failure ? planned : undefined;
		const details = report(this.#calls, this.#ledger, thrown);
		const itemIndex = planned?.itemIndexes[0] ?? 0;
		return toNodeError(this.#context.getNode(), failure, itemIndex, { ...details, hasOptions: true });
	}

	/** Returns the output of all planned calls, in their order, and shows warnings and notes. */
	collect(): INodeExecutionData[] {
		const endings = this.#planned.map((each) => ({ itemIndex: each.itemIndexes[0], ended: this.#ledger.get(each) }));
		showHints(this.#context, endings);
		const node = this.#context.getNode();
		const output = endings.flatMap(({ itemIndex, ended }) => {
			if (!ended) return [];
			if (ended.outcome === 'done') return ended.result.items.map(withoutErrorField);
			const isUnsent = ended.kind === 'stopped' && ended.outcome === 'not sent';
			return isUnsent ? [] : [toErrorItem(node, ended, itemIndex)];
		});
		// If the first item has an error, n8n runs the node again.
		if (output[0]?.json.error === undefined) this.#ledger.clear();
		return output;
	}
}

/** n8n treats an item with a field `error` as a failure, and may run the node again because of it. */
function withoutErrorField(item: INodeExecutionData): INodeExecutionData {
	if (!('error' in item.json)) return item;
	const { error, ...json } = item.json;
	return { ...item, json: { ...json, service_error: error } };
}
