import type { IPollFunctions } from 'n8n-workflow';

import { getOrCreate } from '../shared/values';
import { findState, type TriggerState } from './linkMemory';

const triggers = new Map<string, ActiveTrigger>();

/**
 * What this process knows of a trigger besides what n8n stores. n8n's scheduler starts each poll with the state that
 * is stored, may start several at once, and stores nothing of a poll that finds nothing (docs/trigger.md).
 */
export class ActiveTrigger {
	/** Whether the next poll starts over, whatever is stored. */
	#startsOver = false;
	/** The state after the last poll, and the stored state that this poll began with, as JSON. */
	#kept?: { readonly stored?: string; readonly state: TriggerState };

	private constructor(readonly id: string) {}

	/** Returns the same object for all polls of a node. */
	static of(context: IPollFunctions): ActiveTrigger {
		const id = `trigger ${context.getWorkflow().id} ${context.getNode().id}`;
		return getOrCreate(triggers, id, () => new ActiveTrigger(id));
	}

	/** Forgets the state, until a poll has succeeded. */
	startOver(): void {
		this.#startsOver = true;
	}

	/** Returns the state after the last poll: what another process has stored since counts more. */
	latest(context: IPollFunctions): TriggerState | undefined {
		if (this.#startsOver) return undefined;
		const stored = findState(context.getWorkflowStaticData('node'));
		return this.#kept && this.#kept.stored === JSON.stringify(stored) ? this.#kept.state : stored;
	}

	update(context: IPollFunctions, state: TriggerState): void {
		const data = context.getWorkflowStaticData('node');
		this.#kept = { stored: JSON.stringify(findState(data)), state };
		this.#startsOver = false;
		Object.assign(data, state);
	}
}
