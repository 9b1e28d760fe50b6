import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { ExecutionStopped, FieldError, ServiceError } from '../errors';
import { type Call, isRefusal, type Operation, orRefuse, type Refusal } from '../operation';
import { readOptions, type SendOptions } from '../options';
import { callService } from '../transport/callService';
import { type RetryOptions, withRetries } from '../transport/retries';
import type { ServiceRequest } from '../transport/serviceRequest';
import { Accounts } from './accounts';
import { sendInBatches } from './batches';
import { EarlierTries, type Outcome } from './earlierTries';
import { toErrorItem, toNodeError } from './nodeErrors';
import { type CallStatus, describeRun } from './runReport';

/** As many odd answers are shown one by one. */
const MAX_HINTS = 5;

const REPETITION = ' Running the workflow again repeats the items that are done.';

/**
 * Runs an operation on all input items. Everything is read before anything is sent, so that a bad
 * item stops the node before it has changed a page.
 *
 * With Retry On Fail, n8n runs it again for the same items. What an earlier try has done, or may have
 * done, is then not sent again: its output or its error is returned once more.
 *
 * @returns the output items, in the order of the input; with Continue on Fail, an error item in
 *   place of each call that failed
 * @throws NodeOperationError for a field that can't be used, NodeApiError for an answer that is not
 *   success, each with the index of its item, unless Continue on Fail is on; the message says what
 *   became of the other items
 */
export async function runOperation(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	const planned = operation.plan(context);
	const options = orRefuse(0, () => readOptions(context));
	const steps = isRefusal(options)
		? planned.map((step) => ({ itemIndex: itemsOf(step)[0], error: options.error }))
		: planned;

	const run = new Run(context, steps);
	if (!context.continueOnFail()) run.stopAtRefusal();
	if (!isRefusal(options)) await run.send(options);
	return run.collect();
}

function itemsOf(step: Call | Refusal): readonly [number, ...number[]] {
	return isRefusal(step) ? [step.itemIndex] : step.itemIndexes;
}

function isCall(step: Call | Refusal): step is Call {
	return !isRefusal(step);
}

/** A call that ends the node, unless Continue on Fail is on. */
interface Failure {
	readonly call: Call;
	readonly error: unknown;
}

/** The steps of one try of the node, and what came of them. */
class Run {
	readonly #outcomes = new Map<Call | Refusal, Outcome>();
	readonly #earlierTries: EarlierTries;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly steps: ReadonlyArray<Call | Refusal>,
	) {
		this.#earlierTries = new EarlierTries(context);
		for (const step of steps) {
			const outcome = this.#earlierTries.outcomeOf(itemsOf(step));
			if (outcome) this.#outcomes.set(step, outcome);
		}
	}

	/** @throws NodeOperationError if a step can't be sent */
	stopAtRefusal(): void {
		for (const step of this.steps) {
			if (!isRefusal(step) || this.#outcomes.has(step)) continue;
			throw toNodeError(this.context.getNode(), step.error, step.itemIndex);
		}
	}

	/**
	 * @throws NodeApiError or NodeOperationError if the execution was stopped, or if a call failed and
	 *   Continue on Fail is off
	 */
	async send(options: SendOptions): Promise<void> {
		const signal = this.context.getExecutionCancelSignal();
		const accounts = new Accounts(this.context, options);
		const calls = this.steps.filter(isCall);
		let failure = this.context.continueOnFail() ? undefined : this.#findFailure(calls);
		const sendOne = async (call: Call): Promise<boolean> => {
			const outcome = await this.#sendOne(call, accounts, { ...options, signal });
			this.#outcomes.set(call, outcome);
			if ('error' in outcome && !this.context.continueOnFail()) {
				failure ??= { call, error: outcome.error };
			}
			return failure === undefined;
		};
		const unsent = calls.filter((call) => !this.#outcomes.has(call));
		if (!failure) await sendInBatches(unsent, options, sendOne, signal);

		if (signal?.aborted) throw this.#toError(calls, new ExecutionStopped(), failure?.call);
		if (failure && !this.#isReturned(failure)) {
			throw this.#toError(calls, failure.error, failure.call);
		}
	}

	/**
	 * Whether an error is returned as an item, because n8n would send the request again if it were
	 * thrown: tries of an AI tool can't be told from further calls of the tool.
	 */
	#isReturned({ call, error }: Failure): boolean {
		const { type, retryOnFail } = this.context.getNode();
		const isRepeatedTool = type.endsWith('Tool') && retryOnFail === true;
		return isRepeatedTool && !call.request.isIdempotent && !isCertainlyNotApplied(error);
	}

	/** @returns the first call whose outcome is unknown since an earlier try */
	#findFailure(calls: readonly Call[]): Failure | undefined {
		for (const call of calls) {
			const outcome = this.#outcomes.get(call);
			if (outcome && 'error' in outcome) return { call, error: outcome.error };
		}
		return undefined;
	}

	async #sendOne(call: Call, accounts: Accounts, retrying: RetryOptions): Promise<Outcome> {
		const { itemIndexes, request } = call;
		const { isIdempotent } = request;
		try {
			const client = await accounts.clientFor(call);
			const attempt = async (isRepeated: boolean) =>
				await callService(
					client,
					isRepeated || this.#earlierTries.mayBeApplied(itemIndexes) ? repeated(request) : request,
				);
			const envelope = await withRetries(attempt, { ...retrying, isIdempotent });
			const items = call.toItems(envelope).map(withoutErrorField);
			const outcome = { items, warning: call.findWarning?.(envelope) };
			this.#earlierTries.note(itemIndexes, outcome);
			return outcome;
		} catch (error) {
			if (!isCertainlyNotApplied(error)) {
				this.#earlierTries.note(itemIndexes, isIdempotent ? 'may be applied' : { error });
			}
			return { error };
		}
	}

	#toError(calls: readonly Call[], error: unknown, failure?: Call): Error {
		const statusOf = (call: Call) => this.#statusOf(call);
		const isHarmful = calls.some((call) => !call.request.isIdempotent && statusOf(call) === 'done');
		const report = `${describeRun(calls, statusOf)}${isHarmful ? REPETITION : ''}`;
		return toNodeError(this.context.getNode(), error, failure?.itemIndexes[0] ?? 0, report);
	}

	#statusOf(call: Call): CallStatus {
		const outcome = this.#outcomes.get(call);
		if (!outcome) return 'not sent';
		if ('items' in outcome) return 'done';
		if (!(outcome.error instanceof ExecutionStopped)) return 'failed';
		return outcome.error.isNotSent ? 'not sent' : 'in flight';
	}

	/** @returns the output of all steps, in their order */
	collect(): INodeExecutionData[] {
		this.#addHints();
		const output: INodeExecutionData[] = [];
		for (const step of this.steps) {
			for (const item of this.#toItems(step)) output.push(item);
		}
		// That makes n8n run the node again.
		if (output[0]?.json.error === undefined) this.#earlierTries.clear();
		return output;
	}

	#toItems(step: Call | Refusal): INodeExecutionData[] {
		const outcome = this.#outcomes.get(step) ?? (isRefusal(step) ? step : { items: [] });
		if ('items' in outcome) return outcome.items;
		return [toErrorItem(this.context.getNode(), outcome.error, itemsOf(step)[0])];
	}

	#addHints(): void {
		const warnings = new Set<string>();
		for (const outcome of this.#outcomes.values()) {
			if ('warning' in outcome && outcome.warning) warnings.add(outcome.warning);
		}
		const hints = [...warnings].slice(0, MAX_HINTS);
		const rest = warnings.size - hints.length;
		if (rest > 0) hints.push(`The same is true of ${rest} more.`);
		this.context.addExecutionHints(
			...hints.map((message) => ({ message, type: 'warning' as const })),
		);
	}
}

function isCertainlyNotApplied(error: unknown): boolean {
	if (error instanceof ServiceError) return error.details.isNotApplied === true;
	return error instanceof FieldError;
}

/** A request of which an earlier attempt may have been applied: a refusal now does not undo that. */
function repeated(request: ServiceRequest): ServiceRequest {
	return { ...request, failure: request.unknownOutcome ?? request.failure };
}

/** n8n takes an item with a field `error` for a failure, and may run the node again because of it. */
function withoutErrorField(item: INodeExecutionData): INodeExecutionData {
	if (!('error' in item.json)) return item;
	const { error, ...json } = item.json;
	return { ...item, json: { ...json, service_error: error } };
}
