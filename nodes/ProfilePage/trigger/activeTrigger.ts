import type { IPollFunctions } from 'n8n-workflow';

import { getOrCreate } from '../shared/values';
import { findState, type TriggerState } from './linkMemory';

/** How long n8n may take to store what a poll has reported, and to start a poll that it has prepared, in milliseconds. */
const STORING_MS = 120_000;

const triggers = new Map<string, ActiveTrigger>();

/**
 * What this process knows of a trigger besides what n8n stores. n8n's scheduler starts each poll with the state that
 * is stored, may start several at once, and may store nothing of a poll that finds nothing (docs/trigger.md).
 */
export class ActiveTrigger {
	/** Whether the next poll starts over: a user has published the workflow, and no poll has succeeded since. */
	startsOver = false;

	#polling?: Promise<unknown>;
	/** The state after a poll that found nothing new, and the stored state (base) that this poll began with. */
	#kept?: { base: string; state: TriggerState };
	/** The stored states that polls with new links began with. */
	#reported: Array<{ base: string; time: number }> = [];

	/** Returns the same object for all polls of a node. */
	static of(context: IPollFunctions): ActiveTrigger {
		const key = `${context.getWorkflow().id}:${context.getNode().id}`;
		return getOrCreate(triggers, key, () => new ActiveTrigger());
	}

	get isPolling(): boolean {
		return this.#polling !== undefined;
	}

	/** Runs a poll, after another poll of the node has ended. */
	async exclusively<T>(poll: () => Promise<T>): Promise<T> {
		while (this.#polling) await this.#polling.catch(() => undefined);
		const polling = poll().finally(() => (this.#polling = undefined));
		this.#polling = polling;
		return await polling;
	}

	/** Returns the latest state; undefined if there is none. */
	latest(context: IPollFunctions): TriggerState | undefined {
		return this.#kept?.base === baseOf(context) ? this.#kept.state : findState(context.getWorkflowStaticData('node'));
	}

	/**
	 * Whether a poll has just reported what is new since the stored state. n8n stores another state soon, unless it
	 * discards those links: then they are reported again after a while.
	 */
	hasReportedSince(context: IPollFunctions): boolean {
		const earliest = Date.now() - STORING_MS;
		this.#reported = this.#reported.filter(({ time }) => time > earliest);
		return this.#reported.some(({ base }) => base === baseOf(context));
	}

	/** Replaces the stored state. n8n may discard it, with the new links if there are any. */
	update(context: IPollFunctions, state: TriggerState, hasNewLinks: boolean): void {
		const base = baseOf(context);
		if (hasNewLinks) this.#reported.push({ base, time: Date.now() });
		else this.#kept = { base, state };
		Object.assign(context.getWorkflowStaticData('node'), state);
	}
}

/** Identifies the stored state. */
function baseOf(context: IPollFunctions): string {
	const state = findState(context.getWorkflowStaticData('node'));
	// A node that is renamed loses its state. Its name tells it from a node that has never polled.
	return state ? JSON.stringify(state) : context.getNode().name;
}
