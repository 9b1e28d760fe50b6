import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/values';
import { type LinkMemory, readMemory } from './linkMemory';
import type { PollContext } from './pollContext';

/** How long n8n may take to store what a poll has reported, and to start a poll that it has prepared, in milliseconds. */
const STORING_MS = 30_000;

/** What a trigger stores: a memory, and the list that it belongs to. */
export interface TriggerState extends LinkMemory {
	readonly source: string;
}

/** Reads what is stored; undefined if nothing is. */
function readState(stored: IDataObject): TriggerState | undefined {
	const memory = readMemory(stored);
	return memory && { source: asText(stored.source), ...memory };
}

const triggers = new Map<string, ActiveTrigger>();

/**
 * What this process knows of a trigger besides what n8n stores. n8n's scheduler starts each poll with the state that
 * is stored, may start several at once, and may store nothing of a poll that finds nothing (docs/trigger.md).
 */
export class ActiveTrigger {
	/** Whether the next poll starts over: a user has published the workflow, and no poll has succeeded since. */
	startsOver = false;

	#polling?: Promise<unknown>;
	/** What a poll that found nothing has read, and the stored state that it was based on. */
	#kept?: { base: string; state: TriggerState };
	/** The stored states that polls with new links were based on. */
	#reported: Array<{ base: string; time: number }> = [];

	/** Returns the same object for all polls of a node. */
	static of(context: PollContext): ActiveTrigger {
		const key = `${context.getWorkflow().id}:${context.getNode().id}`;
		const trigger = triggers.get(key) ?? new ActiveTrigger();
		triggers.set(key, trigger);
		return trigger;
	}

	get isPolling(): boolean {
		return this.#polling !== undefined;
	}

	/** Runs a poll after the one that is running. */
	async exclusively<T>(poll: () => Promise<T>): Promise<T> {
		while (this.#polling) await this.#polling.catch(() => undefined);
		const polling = poll().finally(() => (this.#polling = undefined));
		this.#polling = polling;
		return await polling;
	}

	/** Returns the latest state; undefined if there is none. */
	latest(context: PollContext): TriggerState | undefined {
		const isKept = this.#kept?.base === baseOf(context);
		return isKept ? this.#kept?.state : readState(storedOf(context));
	}

	/**
	 * Whether the new links since the stored state have been reported just now, so that it is out of date. If n8n keeps
	 * it for longer than it takes to store another, it has discarded those links.
	 */
	hasReportedSince(context: PollContext): boolean {
		const earliest = Date.now() - STORING_MS;
		this.#reported = this.#reported.filter(({ time }) => time > earliest);
		return this.#reported.some(({ base }) => base === baseOf(context));
	}

	/** Replaces the stored state. n8n may discard it, with the new links if there are any. */
	update(context: PollContext, state: TriggerState, hasNewLinks: boolean): void {
		const base = baseOf(context);
		if (hasNewLinks) this.#reported.push({ base, time: Date.now() });
		else this.#kept = { base, state };
		Object.assign(storedOf(context), state);
	}
}

function storedOf(context: PollContext): IDataObject {
	return context.getWorkflowStaticData('node');
}

/** Identifies the stored state. */
function baseOf(context: PollContext): string {
	const state = readState(storedOf(context));
	// A node that was renamed starts over, so having no state is not the same as before.
	return state ? JSON.stringify([state.source, state.seen, state.reached]) : context.getNode().name;
}
