import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

/** What came of a call: its output, or why there is none. */
export type Outcome =
	{ readonly items: INodeExecutionData[]; readonly warning?: string } | { readonly error: unknown };

/** What an earlier try left behind: the outcome of a call, or that the call may have been applied. */
type Trace = Outcome | 'may be applied';

/** By the items that a call is made of. */
type Traces = Map<string, Trace>;

/** By the first input item, which lives as long as its execution, and then by the run of the node. */
const runsByItem = new WeakMap<object, Map<string, Traces>>();

/**
 * Remembers what came of calls, for the next try of the node. With Retry On Fail, n8n runs the whole
 * node again, up to 5 times, and passes it the same items.
 */
export class EarlierTries {
	readonly #traces: Traces = new Map();
	#forget: () => void = () => undefined;

	constructor(context: IExecuteFunctions) {
		const [item] = context.getInputData();
		if (!context.getNode().retryOnFail || !item) return;
		const runs = runsByItem.get(item) ?? new Map<string, Traces>();
		runsByItem.set(item, runs);
		const key = runKey(context);
		this.#traces = runs.get(key) ?? this.#traces;
		runs.set(key, this.#traces);
		this.#forget = () => runs.delete(key);
	}

	/** @param itemIndexes the items that the call is made of */
	outcomeOf(itemIndexes: readonly number[]): Outcome | undefined {
		const trace = this.#traces.get(itemIndexes.join());
		return trace === 'may be applied' ? undefined : trace;
	}

	/** Whether the call is to be sent again, and may have been applied before. */
	mayBeApplied(itemIndexes: readonly number[]): boolean {
		return this.#traces.get(itemIndexes.join()) === 'may be applied';
	}

	note(itemIndexes: readonly number[], trace: Trace): void {
		this.#traces.set(itemIndexes.join(), trace);
	}

	/** Forgets all of it: n8n does not run the node again. */
	clear(): void {
		this.#forget();
	}
}

/** Items may be passed to many nodes, and by a loop to one node many times. */
function runKey(context: IExecuteFunctions): string {
	const { $runIndex } = context.getWorkflowDataProxy(0);
	return JSON.stringify([context.getExecutionId(), context.getNode().name, $runIndex]);
}
