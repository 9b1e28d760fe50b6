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

/** Reads what is stored; undefined if nothing is. */
export function readMemory({ seen, reached }: IDataObject): LinkMemory | undefined {
	if (!isObject(seen)) return undefined;
	const times = Object.entries(seen).map(([id, time]) => [id, Number(time)] as const);
	const [time, id] = Array.isArray(reached) ? reached.map(Number) : [];
	const hasReached = time !== undefined && id !== undefined;
	return { seen: Object.fromEntries(times), reached: hasReached ? [time, id] : null };
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
export function findNewLinks(
	list: readonly IDataObject[],
	memory: LinkMemory | undefined,
): { newLinks: IDataObject[]; memory: LinkMemory } {
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

/** @param isComplete whether all links have been listed */
function remember(links: readonly IDataObject[], memory: LinkMemory | undefined, isComplete: boolean): LinkMemory {
	const listed = new Map(links.map((link) => [asText(link.link_id), creationOf(link)[0]]));
	const others = Object.entries(memory?.seen ?? {}).filter(([id]) => !listed.has(id));
	const oldestFirst = others.sort(([a, time], [b, otherTime]) => compare([time, Number(a)], [otherTime, Number(b)]));
	const excess = Math.max(0, others.length + listed.size - MAX_REMEMBERED);
	const kept = [...oldestFirst.slice(excess), ...listed];
	const [lastForgotten] = oldestFirst.slice(0, excess).slice(-1);
	const reached = isComplete ? null : reach(links, memory);
	return { seen: Object.fromEntries(kept), reached: passOver(lastForgotten, reached) };
}

/** Returns how far the lists have reached. */
function reach(links: readonly IDataObject[], memory: LinkMemory | undefined): Creation | null {
	const creations = [...links.map(creationOf), ...(memory?.reached ? [memory.reached] : [])];
	return creations.sort(compare)[0] ?? null;
}

/** Returns how far the lists have reached if a forgotten link counts as not reached. */
function passOver(forgotten: [id: string, time: number] | undefined, reached: Creation | null): Creation | null {
	if (!forgotten) return reached;
	const creation: Creation = [forgotten[1], Number(forgotten[0])];
	return reached && compare(reached, creation) > 0 ? reached : creation;
}

function creationOf({ link_id: id, created_at: createdAt }: IDataObject): Creation {
	return [Date.parse(asText(createdAt)) || 0, Number(asText(id)) || 0];
}

function compare([time, id]: Creation, [otherTime, otherId]: Creation): number {
	return time - otherTime || id - otherId;
}
