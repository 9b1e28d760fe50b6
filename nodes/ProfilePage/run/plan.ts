import type { Item } from '../fields/item';
import type { Planner } from '../resources/operation';
import type { Session } from '../resources/session';
import { Failure, toFailure, wasStoppedInTime } from '../shared/failure';
import type { Entry } from './ledger';

/**
 * Plans the calls for some items. An entry for which that is impossible has the failure instead; there is none for what
 * was stopped, such as by a cancellation while names are read.
 */
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
	return entries.filter(({ failure }) => !failure || !wasStoppedInTime(failure));
}

/** Returns what work returns, or the failure for what it throws. */
async function orFailure<T>(work: () => Promise<T>): Promise<T | Failure> {
	try {
		return await work();
	} catch (error) {
		return toFailure(error);
	}
}
