import type { Item } from '../fields/item';
import type { Inputs, Planner } from '../resources/operation';
import type { Session } from '../resources/session';
import { Failure, toFailure } from '../shared/failure';
import type { Entry } from './ledger';

/** Plans the calls for some items. An entry for which that is impossible has the failure instead. */
export async function planCalls(
	items: readonly Item[],
	{ groupBy, plan }: Planner,
	session: Session,
): Promise<Entry[]> {
	const entries: Entry[] = [];
	const groups = new Map<string | Item, [Item, ...Item[]]>();
	for (const item of items) {
		const key = await orFailure(async () => (await groupBy?.(item, session)) ?? item);
		const group = key instanceof Failure ? undefined : groups.get(key);
		if (key instanceof Failure) entries.push({ indexes: [item.index], failure: key });
		else if (group) group.push(item);
		else groups.set(key, [item]);
	}
	for (const group of groups.values()) {
		const indexes = group.map(({ index }) => index);
		const call = await orFailure(async () => await plan(group, session));
		entries.push(call instanceof Failure ? { indexes, failure: call } : { indexes, call });
	}
	return entries;
}

/** Returns what work returns, or the failure for what it throws. */
async function orFailure<T>(work: () => Promise<T>): Promise<T | Failure> {
	try {
		return await work();
	} catch (error) {
		return toFailure(error);
	}
}

export function areSome(items: readonly Item[]): items is Inputs {
	return items.length > 0;
}
