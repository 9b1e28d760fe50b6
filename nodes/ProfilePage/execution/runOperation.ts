import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import {
	type Call,
	isInvalid,
	type Operation,
	orInvalid,
	type PlannedCall,
	type Service,
} from '../operation';
import { ValidationError } from '../shared/errors';
import { isTool } from '../shared/tool';
import { ExecutionCanceled } from '../shared/waiting';
import { isNotApplied, type RetryOptions, withRetries } from '../transport/retries';
import { sendInBatches } from './batches';
import { clientsOf } from './clients';
import { toErrorItem, toNodeError } from './nodeErrors';
import { readOptions, type SendOptions } from './options';
import { type Outcome, PreviousTries } from './previousTries';
import { type CallStatus, reportCalls } from './report';

const MAX_WARNINGS = 5;

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
export async function runOperation(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	const plan = operation.plan(context);
	const options = orInvalid(0, () => readOptions(context));
	const planned = isInvalid(options)
		? plan.map(({ itemIndexes }) => ({ itemIndexes, error: options.error }))
		: plan;

	const run = new Run(context, planned);
	if (!context.continueOnFail()) run.stopAtInvalidItem();
	if (!isInvalid(options)) await run.send(options);
	return run.collect();
}

/** The planned calls of one try of the node, and what became of them. */
class Run {
	readonly #context: IExecuteFunctions;
	readonly #planned: readonly PlannedCall[];
	readonly #calls: readonly Call[];
	readonly #outcomes = new Map<PlannedCall, Outcome>();
	readonly #previous: PreviousTries;

	constructor(context: IExecuteFunctions, planned: readonly PlannedCall[]) {
		this.#context = context;
		this.#planned = planned;
		this.#calls = planned.flatMap((each) => (isInvalid(each) ? [] : [each]));
		this.#previous = new PreviousTries(context);
		for (const each of planned) {
			const outcome = this.#previous.outcomeOf(each.itemIndexes) ?? each;
			if ('error' in outcome || 'items' in outcome) this.#outcomes.set(each, outcome);
		}
	}

	/** @throws NodeOperationError if there is an invalid item */
	stopAtInvalidItem(): void {
		const isNew = (each: PlannedCall) => this.#outcomes.get(each) === each;
		const invalid = this.#planned.filter(isInvalid).find(isNew);
		if (!invalid) return;
		throw toNodeError(this.#context.getNode(), invalid.error, invalid.itemIndexes[0]);
	}

	/** @throws NodeApiError or NodeOperationError if the execution was canceled, or a call failed and ends the node */
	async send(options: SendOptions): Promise<void> {
		const signal = this.#context.getExecutionCancelSignal();
		const clientFor = clientsOf(this.#context, options);
		const continueOnFail = this.#context.continueOnFail();
		// One may have failed in an earlier try, with an unknown outcome.
		let failed = continueOnFail ? undefined : this.#calls.find((call) => this.#errorOf(call));
		const send = async (call: Call): Promise<boolean> => {
			this.#outcomes.set(call, await this.#sendOne(call, clientFor, { ...options, signal }));
			if (!continueOnFail && this.#errorOf(call)) failed ??= call;
			return failed === undefined;
		};
		const unsent = this.#calls.filter((call) => !this.#outcomes.has(call));
		if (!failed) await sendInBatches(unsent, options, send, signal);

		if (signal?.aborted) throw this.#toError(new ExecutionCanceled(), failed);
		if (failed && !this.#isReturned(failed)) throw this.#toError(this.#errorOf(failed), failed);
	}

	#errorOf(call: Call): unknown {
		const outcome = this.#outcomes.get(call);
		return outcome && 'error' in outcome ? outcome.error : undefined;
	}

	/**
	 * Whether an error is returned as an item, because n8n would repeat the request if it were thrown: tries of an AI
	 * tool look like further calls of the tool.
	 */
	#isReturned(call: Call): boolean {
		const isRetriedTool = isTool(this.#context) && this.#context.getNode().retryOnFail === true;
		return isRetriedTool && !call.request.idempotent && !isWithoutEffect(this.#errorOf(call));
	}

	async #sendOne(
		call: Call,
		clientFor: ReturnType<typeof clientsOf>,
		options: RetryOptions,
	): Promise<Outcome> {
		const { itemIndexes, request, read, perform } = call;
		// Of the last request: `perform` may send others.
		let { idempotent } = request;
		try {
			const client = await clientFor(call);
			const service: Service = {
				account: client.account,
				send: async (each, readEach) => {
					idempotent = each.idempotent;
					return await withRetries(
						async (isMaybeApplied) => {
							const mayBeApplied = isMaybeApplied || this.#previous.mayBeApplied(itemIndexes);
							return await client.call({ ...each, mayBeApplied, hasOptions: true }, readEach);
						},
						{ ...options, idempotent },
					);
				},
			};
			const result = perform ? await perform(service) : await service.send(request, read);
			const outcome = { ...result, items: result.items.map(withoutErrorField) };
			this.#previous.remember(itemIndexes, outcome);
			return outcome;
		} catch (error) {
			if (!isWithoutEffect(error)) {
				this.#previous.remember(itemIndexes, idempotent ? 'may be applied' : { error });
			}
			return { error };
		}
	}

	#toError(error: unknown, call?: Call): Error {
		const { summary, details } = reportCalls(this.#calls, (each) => this.#statusOf(each));
		const mustNotRepeat = this.#calls.some(
			(each) =>
				!(each.isRepeatable ?? each.request.idempotent) && this.#statusOf(each) === 'succeeded',
		);
		const warning = 'Running the workflow again repeats the items that succeeded.';
		const report = mustNotRepeat ? `${details} ${warning}`.trim() : details;
		const node = this.#context.getNode();
		return toNodeError(node, error, call?.itemIndexes[0] ?? 0, { summary, details: report });
	}

	#statusOf(call: Call): CallStatus {
		if (!this.#outcomes.has(call)) return 'not sent';
		const error = this.#errorOf(call);
		if (!error) return 'succeeded';
		if (!(error instanceof ExecutionCanceled)) return 'failed';
		return error.isNotSent ? 'not sent' : 'in flight';
	}

	/** Returns the output of all planned calls, in their order, and shows the warnings. */
	collect(): INodeExecutionData[] {
		this.#showWarnings();
		const output = this.#planned.flatMap((each) => {
			const outcome = this.#outcomes.get(each) ?? { items: [] };
			if ('items' in outcome) return outcome.items;
			return [toErrorItem(this.#context.getNode(), outcome.error, each.itemIndexes[0])];
		});
		// If the first item has an error, n8n runs the node again.
		if (output[0]?.json.error === undefined) this.#previous.clear();
		return output;
	}

	#showWarnings(): void {
		const outcomes = [...this.#outcomes.values()];
		const warnings = outcomes.flatMap((outcome) =>
			'warnings' in outcome ? (outcome.warnings ?? []) : [],
		);
		const distinct = [...new Set(warnings)];
		const shown = distinct.slice(0, MAX_WARNINGS);
		const rest = distinct.length - shown.length;
		if (rest > 0) shown.push(`More warnings like these: ${rest}.`);
		this.#context.addExecutionHints(
			...shown.map((message) => ({ message, type: 'warning' as const })),
		);
	}
}

function isWithoutEffect(error: unknown): boolean {
	return isNotApplied(error) || error instanceof ValidationError;
}

/** n8n treats an item with a field `error` as a failure, and may run the node again because of it. */
function withoutErrorField(item: INodeExecutionData): INodeExecutionData {
	if (!('error' in item.json)) return item;
	const { error, ...json } = item.json;
	return { ...item, json: { ...json, service_error: error } };
}
