import type { IExecuteFunctions } from 'n8n-workflow';

import type { Credential } from '../auth/credential';
import type { Call, CallResult } from '../resources/operation';
import type { History } from '../shared/errors';
import { runState } from '../shared/runState';

type ItemIndexes = Call['itemIndexes'];

/** How a call ended: with its result, or an error. */
export type Ending = CallResult | { readonly error: unknown };

/** What the tries of a run of the node know. */
class Memory {
	/** How calls ended, or that they may have been applied, by their items. */
	readonly endings = new Map<string, Ending | 'may be applied'>();
	/** The credentials that were used, by the item that their expressions were resolved for. */
	readonly identities = new Map<number, string>();
}

/** By the run of the node. */
const memories = runState(() => new Map<string, Memory>());

/** Remembers how calls ended: with Retry On Fail, n8n runs the whole node again for the same items. */
export class Tries {
	/** Forgets everything, once n8n will not run the node again. */
	readonly clear: () => void;
	readonly #memory: Memory;

	constructor(context: IExecuteFunctions) {
		const runs = memories(context);
		// A run must never get the endings of another, even if n8n gave both the same items.
		const { $runIndex } = context.getWorkflowDataProxy(0);
		const run = JSON.stringify([context.getExecutionId(), context.getNode().name, $runIndex]);
		this.#memory = runs.get(run) ?? new Memory();
		runs.set(run, this.#memory);
		this.clear = () => runs.delete(run);
	}

	/** Returns how the call of these items ended, if that is known. */
	endingOf(itemIndexes: ItemIndexes): Ending | undefined {
		const ending = this.#memory.endings.get(itemIndexes.join());
		return ending === 'may be applied' ? undefined : ending;
	}

	/** Returns what has become of the call of these items. */
	historyOf(itemIndexes: ItemIndexes): History {
		const ending = this.#memory.endings.get(itemIndexes.join());
		return ending === 'may be applied' ? ending : 'not sent';
	}

	remember(itemIndexes: ItemIndexes, ending: Ending | 'may be applied'): void {
		this.#memory.endings.set(itemIndexes.join(), ending);
	}

	/** Whether a credential is not the one that the first try used for these items. */
	isOther({ itemIndex, identity }: Pick<Credential, 'itemIndex' | 'identity'>): boolean {
		const first = this.#memory.identities.get(itemIndex) ?? identity;
		this.#memory.identities.set(itemIndex, first);
		return first !== identity;
	}
}
