import type { IDataObject } from 'n8n-workflow';

import { MAX_LISTED } from '../resources/links/linkRequests';
import { asText, isObject } from '../shared/values';

/** How many links are remembered, so that n8n has little to store. */
const MAX_REMEMBERED = 500;

/** When a link was created, in milliseconds since 1970, and its ID, which decides within the same second. */
type Creation = readonly [time: number, id: number];

/** What a trigger remembers of the lists it has read. It is stored as JSON. */
export interface LinkMemory {
	/** When each listed link was created, by its ID. */
	readonly seen: Readonly<Record<string, number>>;
	/** The oldest link that lists have reached so far; null once a list contained all links. */
	readonly reached: Creation | null;
}

/** What a trigger stores: a memory, and the list that it belongs to. */
export interface TriggerState extends LinkMemory {
	readonly source: string;
}

/** Reads what is stored; undefined if nothing is. */
export function readState({ source, seen, reached }: IDataObject): TriggerState | undefined {
	if (!isObject(seen)) return undefined;
	const times = Object.entries(seen).map(([id, time]) => [id, Number(time)] as const);
	const [time, id] = Array.isArray(reached) ? reached.map(Number) : [];
	const hasReached = time !== undefined && id !== undefined;
	return { source: asText(source), seen: Object.fromEntries(times), reached: hasReached ? [time, id] : null };
}

/**
 * Compares a list of links, the newest first, with the lists before it (docs/api.md, section 4.3). It contains at most
 * {@link MAX_LISTED} links: when one is deleted, an older one moves up. A link that was never listed is therefore new
 * only if it stands above one that was, such as a link whose schedule began, or is newer than all that no list has
 * reached.
 *
 * @param memory of the lists before; undefined if this is the first, in which nothing is new
 * @returns the new links, the oldest first, and the memory of all lists
 */
export function findNewLinks(list: readonly IDataObject[], memory: LinkMemory | undefined) {
	// The service may have failed to list them. If this counted as "no links", all links of the next list would be new.
	if (list.length === 0 && memory) return { newLinks: [], memory };
	const ids = list.slice(0, MAX_REMEMBERED).map(({ link_id: id }) => asText(id));
	const links = list.filter((_, index) => ids[index] && ids.indexOf(ids[index]) === index);
	const isSeen = ({ link_id: id }: IDataObject) => Object.hasOwn(memory?.seen ?? {}, asText(id));
	const lastSeen = links.map(isSeen).lastIndexOf(true);
	const newLinks = links.filter((link, index) => {
		if (!memory || isSeen(link)) return false;
		return index < lastSeen || !memory.reached || compare(creationOf(link), memory.reached) > 0;
	});
	const isComplete = list.length < MAX_LISTED || memory?.reached === null;
	return { newLinks: newLinks.reverse(), memory: remember(links, memory, isComplete) };
}

/**
 * Returns the memory of a list and those before it. Of more than {@link MAX_REMEMBERED} links, the oldest that are not
 * listed are forgotten, and count as not reached.
 *
 * @param isComplete whether all links have been listed
 */
function remember(links: readonly IDataObject[], memory: LinkMemory | undefined, isComplete: boolean): LinkMemory {
	const listed = new Map(links.map((link) => [asText(link.link_id), creationOf(link)[0]]));
	const others = Object.entries(memory?.seen ?? {}).filter(([id]) => !listed.has(id));
	others.sort(([a, time], [b, otherTime]) => compare([time, Number(a)], [otherTime, Number(b)]));
	const forgotten = others.splice(0, Math.max(0, others.length + listed.size - MAX_REMEMBERED));
	const lastForgotten = forgotten.map(([id, time]): Creation => [time, Number(id)]).at(-1);
	const creations = [...links.map(creationOf), ...(memory?.reached ? [memory.reached] : [])].sort(compare);
	const oldest = isComplete ? undefined : creations[0];
	const later = [oldest, lastForgotten].filter((each) => each !== undefined).sort(compare);
	return { seen: Object.fromEntries([...others, ...listed]), reached: later.at(-1) ?? null };
}

function creationOf({ link_id: id, created_at: createdAt }: IDataObject): Creation {
	return [Date.parse(asText(createdAt)) || 0, Number(asText(id)) || 0];
}

function compare([time, id]: Creation, [otherTime, otherId]: Creation): number {
	return time - otherTime || id - otherId;
}
