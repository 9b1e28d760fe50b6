import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { ExecutionStopped } from '../explainedErrors';
import { type Call, isRefusal, type Operation, orRefuse, type Refusal } from '../operation';
import { readOptions, type SendOptions } from '../options';
import { callService } from '../wire/callService';
import { Connection } from '../wire/connection';
import { type RetryOptions, withRetries } from '../wire/retries';
import { sendInBatches } from './batches';
import { toErrorItem, toNodeError } from './nodeErrors';
import { describeRun, type Fate } from './runReport';

/** As many odd answers are shown one by one. */
const MAX_HINTS = 5;

/** What came of a call: its output, or why there is none. */
type Outcome = { readonly items: INodeExecutionData[] } | { readonly error: unknown };

/**
 * Runs an operation on all input items. Everything is read before anything is sent, so that a bad
 * item stops the node before it has changed a page.
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
		? planned.map((step) => ({ itemIndex: firstItem(step), error: options.error }))
		: planned;
	if (!context.continueOnFail()) stopAtRefusal(context, steps);

	const run = new Run(context);
	if (!isRefusal(options)) await run.send(steps.filter(isCall), options);
	return run.collect(steps);
}

function stopAtRefusal(context: IExecuteFunctions, steps: ReadonlyArray<Call | Refusal>): void {
	for (const step of steps) {
		if (isRefusal(step)) throw toNodeError(context.getNode(), step.error, step.itemIndex);
	}
}

function isCall(step: Call | Refusal): step is Call {
	return !isRefusal(step);
}

function firstItem(step: Call | Refusal): number {
	return isRefusal(step) ? step.itemIndex : step.itemIndexes[0];
}

/** The calls of one execution of the node, and what came of them. */
class Run {
	readonly #outcomes = new Map<Call, Outcome>();
	readonly #oddities = new Set<string>();

	constructor(private readonly context: IExecuteFunctions) {}

	/**
	 * @throws NodeApiError or NodeOperationError if the execution was stopped, or if a call failed and
	 *   Continue on Fail is off
	 */
	async send(calls: readonly Call[], options: SendOptions): Promise<void> {
		const signal = this.context.getExecutionCancelSignal();
		const connection = new Connection(this.context, options.timeout);
		const continueOnFail = this.context.continueOnFail();
		let failure: { call: Call; error: unknown } | undefined;
		const sendOne = async (call: Call, letOthersIn: () => void): Promise<boolean> => {
			const retrying = { ...options, signal, onWait: letOthersIn };
			const outcome = await this.#sendOne(call, connection, retrying);
			this.#outcomes.set(call, outcome);
			if ('error' in outcome && !continueOnFail) failure ??= { call, error: outcome.error };
			return failure === undefined;
		};
		await sendInBatches(calls, options, sendOne, signal);

		const error = signal?.aborted ? new ExecutionStopped() : failure?.error;
		if (!error) return;
		const report = describeRun(calls, (call) => this.#fateOf(call));
		throw toNodeError(this.context.getNode(), error, failure?.call.itemIndexes[0] ?? 0, report);
	}

	async #sendOne(call: Call, connection: Connection, retrying: RetryOptions): Promise<Outcome> {
		try {
			const attempt = async () => await callService(connection, call.request);
			const isOnceOnly = call.request.doubt !== undefined;
			const envelope = await withRetries(attempt, { ...retrying, isOnceOnly });
			const oddity = call.findOddity?.(envelope);
			if (oddity) this.#oddities.add(oddity);
			return { items: call.toItems(envelope) };
		} catch (error) {
			return { error };
		}
	}

	#fateOf(call: Call): Fate {
		const outcome = this.#outcomes.get(call);
		if (!outcome) return 'not sent';
		if ('items' in outcome) return 'done';
		return outcome.error instanceof ExecutionStopped ? 'under way' : 'failed';
	}

	/** @returns the output of all steps, in their order */
	collect(steps: ReadonlyArray<Call | Refusal>): INodeExecutionData[] {
		this.#hintAtOddities();
		const output: INodeExecutionData[] = [];
		for (const step of steps) {
			for (const item of this.#toItems(step)) output.push(item);
		}
		return output;
	}

	#toItems(step: Call | Refusal): INodeExecutionData[] {
		const outcome = isRefusal(step) ? step : this.#outcomes.get(step);
		if (!outcome) return [];
		if ('items' in outcome) return outcome.items;
		return [toErrorItem(this.context.getNode(), outcome.error, firstItem(step))];
	}

	#hintAtOddities(): void {
		const oddities = [...this.#oddities];
		const rest = oddities.length - MAX_HINTS;
		const hints = oddities.slice(0, MAX_HINTS);
		if (rest > 0) hints.push(`The same is true of ${rest} more.`);
		this.context.addExecutionHints(
			...hints.map((message) => ({ message, type: 'warning' as const })),
		);
	}
}
