import type { Item } from '../fields/item';
import type { Call, Inputs, Planner } from '../resources/operation';
import type { Session } from '../resources/session';
import { toFailure } from '../shared/failure';
import type { Entry } from './ledger';

/** A call, and the input items it is for, by their indexes. */
export interface Task {
	readonly indexes: readonly number[];
	readonly call: Call;
}

/**
 * Plans the calls for some items, in the order of their first items.
 *
 * @param onInvalid is told of items for which no call can be planned
 */
export function planTasks(
	items: Inputs,
	{ groupBy, plan }: Planner,
	session: Session,
	onInvalid: (entry: Entry) => void,
): Task[] {
	const groups = new Map<string | Item, [Item, ...Item[]]>();
	const tasks: Task[] = [];
	const orInvalid = (inputs: Inputs, work: (indexes: number[]) => void) => {
		const indexes = inputs.map(({ index }) => index);
		try {
			work(indexes);
		} catch (error) {
			onInvalid({ indexes, failure: toFailure(error) });
		}
	};
	for (const item of items) {
		orInvalid([item], () => {
			const key = groupBy?.(item, session) ?? item;
			const group = groups.get(key);
			if (group) group.push(item);
			else groups.set(key, [item]);
		});
	}
	for (const group of groups.values()) {
		orInvalid(group, (indexes) => tasks.push({ indexes, call: plan(group, session) }));
	}
	return tasks;
}

export function areSome(items: readonly Item[]): items is Inputs {
	return items.length > 0;
}
