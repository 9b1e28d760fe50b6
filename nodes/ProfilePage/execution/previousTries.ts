import type { IExecuteFunctions } from 'n8n-workflow';

import type { CallResult } from '../operation';
import { runState } from '../shared/runState';

/** What became of a call: its result, or why there is none. */
export type Outcome = CallResult | { readonly error: unknown };

/** Outcomes by the items of a call, or that it may have been applied. */
type Memory = Map<string, Outcome | 'may be applied'>;

/** By the run of the node. */
const memoriesOf = runState(() => new Map<string, Memory>());

/** Remembers what became of calls: with Retry On Fail, n8n runs the whole node again for the same items. */
export class PreviousTries {
	readonly #memory: Memory = new Map();
	/** Forgets everything, once n8n will not run the node again. */
	readonly clear: () => void = () => undefined;

	constructor(context: IExecuteFunctions) {
		const { retryOnFail, name } = context.getNode();
		if (!retryOnFail || context.getInputData().length === 0) return;
		const runs = memoriesOf(context);
		// A run must never get the outcomes of another, even if n8n gave both the same items.
		const { $runIndex } = context.getWorkflowDataProxy(0);
		const run = JSON.stringify([context.getExecutionId(), name, $runIndex]);
		this.#memory = runs.get(run) ?? this.#memory;
		runs.set(run, this.#memory);
		this.clear = () => runs.delete(run);
	}

	/** Returns what became of the call of these items, if that is known. */
	outcomeOf(itemIndexes: readonly number[]): Outcome | undefined {
		const outcome = this.#memory.get(itemIndexes.join());
		return outcome === 'may be applied' ? undefined : outcome;
	}

	mayBeApplied(itemIndexes: readonly number[]): boolean {
		return this.#memory.get(itemIndexes.join()) === 'may be applied';
	}

	remember(itemIndexes: readonly number[], outcome: Outcome | 'may be applied'): void {
		this.#memory.set(itemIndexes.join(), outcome);
	}
}
