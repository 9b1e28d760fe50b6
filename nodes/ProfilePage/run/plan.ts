import type { Item } from '../fields/item';
import type { Call, Planner } from '../resources/operation';
import { Failure, toFailure } from '../shared/failure';

/** Some input items, by their indexes, and what to do for them, or why that is not possible. */
export interface Task {
	readonly indexes: readonly number[];
	readonly call: Call | Failure;
}

export type ValidTask = Task & { readonly call: Call };

export function isValid(task: Task): task is ValidTask {
	return !(task.call instanceof Failure);
}

/** Plans the calls of an operation, in the order of their first items. */
export function planTasks(items: readonly Item[], planner: Planner): Task[] {
	const groups = new Map<string | Item, [Item, ...Item[]]>();
	for (const item of items) {
		const shared = orFailure(() => planner.groupBy?.(item));
		const key = typeof shared === 'string' ? shared : item;
		const group = groups.get(key);
		if (group) group.push(item);
		else groups.set(key, [item]);
	}
	return [...groups.values()].map((inputs) => ({
		indexes: inputs.map(({ index }) => index),
		call: orFailure(() => planner.plan(inputs)),
	}));
}

function orFailure<T>(work: () => T): T | Failure {
	try {
		return work();
	} catch (error) {
		return toFailure(error);
	}
}
