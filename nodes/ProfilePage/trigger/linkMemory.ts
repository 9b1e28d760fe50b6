import type { IDataObject } from 'n8n-workflow';

import { MAX_LISTED } from '../resources/links/linkRequests';
import { asText, isObject } from '../shared/values';

/** How many links are remembered, so that n8n has little to store. */
const MAX_REMEMBERED = 500;

/** When a link was created, in milliseconds since 1970, and its ID, which decides within the same second. */
type CreatedAt = readonly [time: number, id: number];

/** What a trigger remembers of the lists it has read. It is stored as JSON. */
export interface LinkMemory {
	/** When each listed link was created, by its ID. */
	readonly seen: Readonly<Record<string, number>>;
	/** The oldest link that lists have reached so far; null once a list contained all links. */
	readonly reached: CreatedAt | null;
}

/** What a trigger stores: a memory, and the list that it belongs to. */
export interface TriggerState extends LinkMemory {
	readonly source: string;
}

/** Reads what is stored; undefined if nothing is. */
export function findState({ source, seen, reached }: IDataObject): TriggerState | undefined {
	if (!isObject(seen)) return undefined;
	const times = Object.entries(seen).map(([id, time]) => [id, Number(time)] as const);
	const [time, id] = Array.isArray(reached) ? reached.map(Number) : [];
	const hasReached = time !== undefined && id !== undefined;
	return { source: asText(source), seen: Object.fromEntries(times), reached: hasReached ? [time, id] : null };
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
	const listed = identify(list);
	const isSeen = ({ id }: ListedLink) => Object.hasOwn(memory?.seen ?? {}, id);
	const lastSeen = listed.findLastIndex(isSeen);
	const newest = listed.filter((each, index) => {
		if (!memory || isSeen(each)) return false;
		return index < lastSeen || !memory.reached || compare(each.createdAt, memory.reached) > 0;
	});
	const isComplete = list.length < MAX_LISTED || memory?.reached === null;
	const newLinks = newest.map(({ link }) => link).reverse();
	return { newLinks, memory: nextMemory(listed, memory, isComplete) };
}

/** A link in a list, and what is remembered of it. */
interface ListedLink {
	readonly link: IDataObject;
	readonly id: string;
	readonly createdAt: CreatedAt;
}

function identify(list: readonly IDataObject[]): ListedLink[] {
	const links = new Map<string, ListedLink>();
	for (const link of list.slice(0, MAX_REMEMBERED)) {
		const id = asText(link.link_id);
		const createdAt = toCreatedAt(Date.parse(asText(link.created_at)) || 0, id);
		if (id !== '' && !links.has(id)) links.set(id, { link, id, createdAt });
	}
	return [...links.values()];
}

/** An ID that is not a number decides nothing. */
function toCreatedAt(time: number, id: string): CreatedAt {
	return [time, Number(id) || 0];
}

/**
 * Returns the memory of a list and those before it. Of more than {@link MAX_REMEMBERED} links, the oldest that are not
 * listed are forgotten: lists then count as not having reached them.
 *
 * @param isComplete whether all links have been listed
 */
function nextMemory(links: readonly ListedLink[], memory: LinkMemory | undefined, isComplete: boolean): LinkMemory {
	const listed = new Map(links.map(({ id, createdAt: [time] }) => [id, time]));
	const others = Object.entries(memory?.seen ?? {}).filter(([id]) => !listed.has(id));
	const createdAtOf = ([id, time]: [id: string, time: number]) => toCreatedAt(time, id);
	others.sort((one, other) => compare(createdAtOf(one), createdAtOf(other)));
	const forgotten = others.splice(0, Math.max(0, others.length + listed.size - MAX_REMEMBERED));
	const lastForgotten = forgotten.map(createdAtOf).at(-1);
	const times = links.map(({ createdAt }) => createdAt);
	const [first] = [...times, ...(memory?.reached ? [memory.reached] : [])].sort(compare);
	const oldest = isComplete ? undefined : first;
	const later = [oldest, lastForgotten].filter((each) => each !== undefined).sort(compare);
	return { seen: Object.fromEntries([...others, ...listed]), reached: later.at(-1) ?? null };
}

function compare([time, id]: CreatedAt, [otherTime, otherId]: CreatedAt): number {
	return time - otherTime || id - otherId;
}
