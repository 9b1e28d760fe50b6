import type { IExecuteFunctions } from 'n8n-workflow';

import type { Credential } from '../auth/app';
import type { Call, CallResult } from '../resources/operation';
import type { History } from '../shared/errors';
import { runState } from '../shared/runState';

type ItemIndexes = Call['itemIndexes'];

/** How a call ended: with its result, or an error. */
export type Ending = CallResult | { readonly error: unknown };

/** Found by the first input item, then by the run. */
const triesByRun = runState(() => new Map<string, EarlierTries>());

/** What is known of earlier tries: with Retry On Fail, n8n runs the whole node again for the same items. */
export class EarlierTries {
	/** How calls ended, or that they may have been applied, by their items. */
	readonly #endings = new Map<string, Ending | 'may be applied'>();
	/** The credentials that were used first, by the item that their expressions were resolved for. */
	readonly #identities = new Map<number, string>();

	/** Returns the same object for all tries of a run. */
	static of(context: IExecuteFunctions): EarlierTries {
		const runs = triesByRun(context);
		// A run must never get the endings of another, even if n8n gave both the same items.
		const { $runIndex } = context.getWorkflowDataProxy(0);
		const key = JSON.stringify([context.getExecutionId(), context.getNode().name, $runIndex]);
		const tries = runs.get(key) ?? new EarlierTries();
		runs.set(key, tries);
		return tries;
	}

	/** Whether nothing is known, as in the first try. */
	get isEmpty(): boolean {
		return this.#endings.size === 0;
	}

	/** Returns how the call of these items ended, if that is known. */
	endingOf(itemIndexes: ItemIndexes): Ending | undefined {
		const ending = this.#endings.get(itemIndexes.join());
		return ending === 'may be applied' ? undefined : ending;
	}

	/** Returns what has become of the call of these items. */
	historyOf(itemIndexes: ItemIndexes): History {
		return this.#endings.get(itemIndexes.join()) === 'may be applied' ? 'may be applied' : 'not sent';
	}

	remember(itemIndexes: ItemIndexes, ending: Ending | 'may be applied'): void {
		this.#endings.set(itemIndexes.join(), ending);
	}

	/** Whether a credential is not the one that the first try used for these items. */
	isOther({ itemIndex, identity }: Pick<Credential, 'itemIndex' | 'identity'>): boolean {
		const first = this.#identities.get(itemIndex) ?? identity;
		this.#identities.set(itemIndex, first);
		return first !== identity;
	}

	/** Forgets everything, once n8n will not run the node again. */
	clear(): void {
		this.#endings.clear();
		this.#identities.clear();
	}
}
