import type { IDataObject } from 'n8n-workflow';

import { MAX_LISTED } from '../resources/links/linkRequests';
import { asText } from '../shared/values';

/** How many links are remembered, so that n8n has little to store. */
const MAX_REMEMBERED = 500;

/** What a trigger remembers of the lists it has read. It is stored as JSON. */
export interface LinkMemory {
	/** The IDs of the links that were listed, the latest ones first. */
	readonly seen: readonly string[];
	/** The place in the order of creation of the oldest link that lists have reached; -1 once a list contained all links. */
	readonly reached: number;
}

/** What a trigger stores: a memory, and the list that it belongs to. */
export interface TriggerState extends LinkMemory {
	readonly source: string;
}

/** Reads what is stored; undefined if nothing is. */
export function findState({ source, seen, reached }: IDataObject): TriggerState | undefined {
	return Array.isArray(seen) ? { source: asText(source), seen: seen.map(asText), reached: Number(reached) } : undefined;
}

/**
 * Compares a list of links, the newest first, with the lists before it (docs/api.md, section 4.3). It contains at most
 * {@link MAX_LISTED} links: when one is deleted, an older one moves up. A link that was never listed is therefore new
 * only if it stands above one that was, such as a link whose schedule began, or was created after the oldest link that
 * lists have reached.
 *
 * @param memory of the lists before; undefined if this is the first, in which nothing is new
 * @returns the new links, the oldest first, and the memory of all lists
 */
export function findNewLinks(list: readonly IDataObject[], memory: LinkMemory | undefined) {
	// The service may have failed to list them. If this counted as "no links", all links of the next list would be new.
	if (list.length === 0 && memory) return { newLinks: [], memory };
	const newest = list.slice(0, MAX_REMEMBERED);
	const links = new Map(newest.map((link) => [asText(link.link_id), link]));
	links.delete('');
	const seen = new Set(memory?.seen);
	const lastSeen = [...links.keys()].findLastIndex((id) => seen.has(id));
	const orderOf = findOrder(newest);
	const isNew = ([id, link]: [string, IDataObject], index: number) =>
		memory && !seen.has(id) && (index < lastSeen || orderOf(link) > memory.reached);
	const newLinks = [...links].filter(isNew).map(([, link]) => link);
	const reached = newest.length < MAX_LISTED ? -1 : Math.min(...newest.map(orderOf));
	return { newLinks: newLinks.reverse(), memory: merge({ seen: [...links.keys()], reached }, memory) };
}

/** Of more than {@link MAX_REMEMBERED} links, those that were listed least recently are forgotten: then only the latest list counts as reached. */
function merge(latest: LinkMemory, before: LinkMemory = latest): LinkMemory {
	const seen = [...new Set([...latest.seen, ...before.seen])];
	const isForgotten = seen.length > MAX_REMEMBERED;
	const reached = isForgotten ? latest.reached : Math.min(latest.reached, before.reached);
	return { seen: seen.slice(0, MAX_REMEMBERED), reached };
}

/** Returns a function for the place of a link in the order of creation: the time, or its ID if no link has a time. */
function findOrder(links: readonly IDataObject[]): (link: IDataObject) => number {
	const timeOf = ({ created_at }: IDataObject) => Date.parse(asText(created_at)) || 0;
	return links.some(timeOf) ? timeOf : ({ link_id: id }) => Number(id) || 0;
}
