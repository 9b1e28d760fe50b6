import type { IPollFunctions } from 'n8n-workflow';

import { getOrCreate } from '../shared/values';
import { findState, type TriggerState } from './linkMemory';

const triggers = new Map<string, ActiveTrigger>();

/**
 * What this process knows of a trigger besides what n8n stores. n8n's scheduler starts each poll with the state that
 * is stored, may start several at once, and stores nothing of a poll that finds nothing (docs/trigger.md).
 */
export class ActiveTrigger {
	/** Whether the next poll starts over: a user has published the workflow, and no poll has succeeded since. */
	startsOver = false;
	/** The state after the last poll, and the stored state (base) that this poll began with. */
	#kept?: { readonly base: string; readonly state: TriggerState };

	private constructor(readonly id: string) {}

	/** Returns the same object for all polls of a node. */
	static of(context: IPollFunctions): ActiveTrigger {
		const id = `trigger ${context.getWorkflow().id} ${context.getNode().id}`;
		return getOrCreate(triggers, id, () => new ActiveTrigger(id));
	}

	latest(context: IPollFunctions): TriggerState | undefined {
		return this.#kept?.base === baseOf(context) ? this.#kept.state : findState(context.getWorkflowStaticData('node'));
	}

	update(context: IPollFunctions, state: TriggerState): void {
		this.#kept = { base: baseOf(context), state };
		Object.assign(context.getWorkflowStaticData('node'), state);
	}
}

function baseOf(context: IPollFunctions): string {
	const state = findState(context.getWorkflowStaticData('node'));
	// A node that is renamed loses its state. Its name tells it from a node that has never polled.
	return state ? JSON.stringify(state) : context.getNode().name;
}
