import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Credential } from '../auth/app';
import { readCommonCredential, readSharedCredential } from '../auth/credential';
import { CREDENTIAL_CHANGED } from '../auth/tokens';
import { isInvalid, readItems } from '../item/item';
import type { Call, Operation, PlannedCall } from '../resources/operation';
import { readOptions, type SendOptions } from '../resources/options';
import { type ClientOptions, ServiceClient } from '../service/client';
import { isChange } from '../service/response';
import { ExecutionCanceled, ExplainedError, historyOf, noToken, ServiceError } from '../shared/errors';
import { toErrorItem, toNodeError } from '../shared/nodeErrors';
import { isTool } from '../shared/values';
import { sendInBatches } from './batches';
import { EarlierTries, type Ending } from './earlierTries';
import { type CallStatus, reportCalls } from './report';

/** The maximum number of hints shown of each type. */
const MAX_HINTS = 5;

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
	let options: SendOptions;
	try {
		options = readOptions(first);
	} catch (error) {
		// The options apply to all items.
		const invalid = planned.map(({ itemIndexes }) => ({ itemIndexes, error }));
		return new Try(context, invalid).collect();
	}
	return await new Try(context, planned).sendAll(options);
}

/** The planned calls in one try of the node, and how they ended. */
class Try {
	readonly #context: IExecuteFunctions;
	readonly #planned: readonly PlannedCall[];
	readonly #calls: Call[] = [];
	readonly #endings = new Map<PlannedCall, Ending>();
	/** Those that ended in an earlier try. */
	readonly #ended: Call[] = [];
	/** The calls that failed before there was a client to send them. */
	readonly #unsent = new Set<Call>();
	/** With Retry On Fail. */
	readonly #earlier?: EarlierTries;
	readonly #clients = new Map<string, ServiceClient>();
	#credential?: Promise<Credential | undefined>;
	/** The call that ends the node. One may have failed in an earlier try, with an unknown outcome. */
	#failed?: Call;

	/** @throws NodeOperationError if there is an invalid item, unless the node continues on fail */
	constructor(context: IExecuteFunctions, planned: readonly PlannedCall[]) {
		this.#context = context;
		this.#planned = planned;
		if (context.getNode().retryOnFail) this.#earlier = EarlierTries.of(context);
		for (const each of planned) {
			const ending = this.#earlier?.endingOf(each.itemIndexes);
			if (ending) this.#end(each, ending);
			if (isInvalid(each)) continue;
			this.#calls.push(each);
			if (ending) this.#ended.push(each);
		}
		for (const each of planned.filter(isInvalid)) {
			if (this.#endings.has(each)) continue;
			const error = this.#withEarlierTry(each.error, each);
			if (context.continueOnFail()) this.#endings.set(each, { error });
			else if (this.#earlier?.isEmpty === false) throw this.#toError(error, each);
			else throw toNodeError(context.getNode(), error, each.itemIndexes[0]);
		}
	}

	/**
	 * Sends the calls and returns their output.
	 *
	 * @throws NodeApiError or NodeOperationError if the execution was canceled, or a call failed and ends the node
	 */
	async sendAll(options: SendOptions): Promise<INodeExecutionData[]> {
		const signal = this.#context.getExecutionCancelSignal();
		const send = async (call: Call): Promise<boolean> => {
			if (!this.#endings.has(call)) await this.#send(call, { ...options, signal });
			return this.#failed === undefined;
		};
		if (!this.#failed) await sendInBatches(this.#calls, options.batchSize, send, signal);
		const failed = this.#failed;
		if (signal?.aborted) throw this.#toError(new ExecutionCanceled(), failed);
		if (failed && !this.#isReturned(failed)) throw this.#toError(this.#errorOf(failed), failed);
		return this.collect();
	}

	/** Notes how a call has ended. If that ends the node, no more requests start. */
	#end(call: PlannedCall, ending: Ending): void {
		this.#endings.set(call, ending);
		if (!('error' in ending) || isInvalid(call) || this.#context.continueOnFail()) return;
		this.#failed ??= call;
		for (const { pacer } of this.#clients.values()) pacer.stop();
	}

	#errorOf(call: Call): unknown {
		const ending = this.#endings.get(call);
		return ending && 'error' in ending ? ending.error : undefined;
	}

	/**
	 * Whether an error is returned as an item, because n8n would repeat the request if it were thrown: tries of an AI
	 * tool look like further calls of the tool.
	 */
	#isReturned(call: Call): boolean {
		const isRetriedTool = isTool(this.#context) && this.#earlier !== undefined;
		if (!isRetriedTool || this.#unsent.has(call)) return false;
		return !call.request.idempotent && historyOf(this.#errorOf(call)) === 'may be applied';
	}

	async #send(call: Call, options: ClientOptions): Promise<void> {
		const { itemIndexes, request, read, perform } = call;
		const history = this.#earlier?.historyOf(itemIndexes);
		let client: ServiceClient | undefined;
		try {
			client = await this.#clientFor(call, options);
			const result = await (perform?.(client, history) ?? client.send(request, read, history));
			const ending = { ...result, items: result.items.map(withoutErrorField) };
			this.#earlier?.remember(itemIndexes, ending);
			this.#end(call, ending);
			if (this.#earlier) this.#overtake(call);
		} catch (error) {
			const isExplained = error instanceof ExplainedError;
			// `perform` may have sent another request: its error says whether that one is idempotent.
			const { idempotent = request.idempotent } = isExplained ? error.details : {};
			// An idempotent call is sent again with this history. Any other ends with the same error again.
			if (!client) this.#unsent.add(call);
			else if (isChange(request) && historyOf(error) === 'may be applied') {
				this.#earlier?.remember(itemIndexes, idempotent ? 'may be applied' : { error });
				this.#overtake(call);
			}
			// A call that was stopped before it was sent has not ended: the report says so.
			const isEnded = !(error instanceof ExecutionCanceled) || error.history !== 'not sent';
			if (isEnded) this.#end(call, { error: this.#withEarlierTry(error, call) });
		}
	}

	/** Sends later calls for the same thing again that succeeded in an earlier try: the last one wins. */
	#overtake({ itemIndexes: [first], concurrencyKey, request }: Call): void {
		const isSame = (other: Call) => concurrencyKey !== undefined && other.concurrencyKey === concurrencyKey;
		for (const later of this.#ended.filter((each) => isSame(each) && each.itemIndexes[0] > first)) {
			const isOther = JSON.stringify(later.request) !== JSON.stringify(request);
			if (!isOther || !later.request.idempotent || this.#statusOf(later) !== 'succeeded') continue;
			this.#endings.delete(later);
			this.#earlier?.remember(later.itemIndexes, 'may be applied');
		}
	}

	/** Adds to the error of a call that an earlier try may have applied it: the error may say the opposite. */
	#withEarlierTry(error: unknown, { itemIndexes }: PlannedCall): unknown {
		const isSaid = error instanceof ServiceError && historyOf(error) === 'may be applied';
		const mayBeApplied = this.#earlier?.historyOf(itemIndexes) === 'may be applied';
		if (!mayBeApplied || isSaid || error instanceof ExecutionCanceled) return error;
		const { message, advice = '', details } = error as Error & Partial<ExplainedError>;
		const mayBeMade = 'In an earlier try, the change may have been made. Look at your profile.';
		return new ServiceError(message, `${advice} ${mayBeMade}`.trim(), { ...details, history: 'may be applied' });
	}

	/** Returns the client for a call: the same for all, unless expressions in the credential give several apps. */
	async #clientFor({ itemIndexes }: Call, options: ClientOptions): Promise<ServiceClient> {
		this.#credential ??= readSharedCredential(this.#context);
		// If it cannot be read, each item reports its own error.
		const shared = await this.#credential.catch(() => undefined);
		const credential = shared ?? (await readCommonCredential(this.#context, itemIndexes));
		// Another try must not continue at another service.
		if (this.#earlier?.isOther(credential)) throw noToken(CREDENTIAL_CHANGED);
		const known = this.#clients.get(credential.binding);
		const client = known ?? new ServiceClient(this.#context, credential, options);
		this.#clients.set(credential.binding, client);
		// Another call may have ended the node while the credential was read.
		if (this.#failed) client.pacer.stop();
		return client;
	}

	#toError(error: unknown, call?: PlannedCall): Error {
		// A ServiceError says itself that the outcome of its call is unknown.
		const isSaid = (each: Call) => error instanceof ServiceError && this.#errorOf(each) === error;
		const unknown = this.#calls.filter((each) => this.#isUnknown(each) && !isSaid(each));
		const report = reportCalls(this.#calls, (each) => this.#statusOf(each), unknown);
		return toNodeError(this.#context.getNode(), error, call?.itemIndexes[0] ?? 0, report);
	}

	/** Whether a change may have been applied, in this try or an earlier one, although it did not succeed. */
	#isUnknown(call: Call): boolean {
		const status = this.#statusOf(call);
		if (!isChange(call.request) || status === 'succeeded') return false;
		if (this.#earlier?.historyOf(call.itemIndexes) === 'may be applied') return true;
		const isUnsent = status === 'not sent' || this.#unsent.has(call);
		return !isUnsent && historyOf(this.#errorOf(call)) === 'may be applied';
	}

	#statusOf(call: Call): CallStatus {
		if (!this.#endings.has(call)) return 'not sent';
		const error = this.#errorOf(call);
		if (!error) return 'succeeded';
		return error instanceof ExecutionCanceled && error.isInFlight ? 'in flight' : 'failed';
	}

	/** Returns the output of all planned calls, in their order, and shows warnings and notes. */
	collect(): INodeExecutionData[] {
		const output: INodeExecutionData[] = [];
		const hints = { warning: new Set<string>(), info: new Set<string>() };
		for (const each of this.#planned) {
			const ending = this.#endings.get(each) ?? { items: [] };
			if ('error' in ending) {
				output.push(toErrorItem(this.#context.getNode(), ending.error, each.itemIndexes[0]));
				continue;
			}
			output.push(...ending.items);
			for (const warning of ending.warnings ?? []) hints.warning.add(warning);
			for (const info of ending.info ?? []) hints.info.add(info);
		}
		this.#showHints('warning', hints.warning);
		this.#showHints('info', hints.info);
		// If the first item has an error, n8n runs the node again.
		if (output[0]?.json.error === undefined) this.#earlier?.clear();
		return output;
	}

	#showHints(type: 'warning' | 'info', messages: ReadonlySet<string>): void {
		const shown = [...messages].slice(0, MAX_HINTS);
		const rest = messages.size - shown.length;
		if (rest > 0) shown.push(`More ${type === 'warning' ? 'warnings' : 'notes'} like these: ${rest}.`);
		for (const message of shown) this.#context.addExecutionHints({ message, type });
	}
}

/** n8n treats an item with a field `error` as a failure, and may run the node again because of it. */
function withoutErrorField(item: INodeExecutionData): INodeExecutionData {
	if (!('error' in item.json)) return item;
	const { error, ...json } = item.json;
	return { ...item, json: { ...json, service_error: error } };
}
