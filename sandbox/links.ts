import { EventEmitter } from 'node:events';

import { NotThere } from './errors';

/** A group of links. */
export interface Group {
	group_id: number;
	group_name: string;
}

/** A link to add. */
export interface NewLink {
	title: string;
	/** Where it leads. */
	link: string;
	image?: string;
	group_id?: number;
	/** From when to when the profile shows it. */
	schedule_from?: string;
	schedule_to?: string;
}

/** A link that the account has. */
export interface Link extends NewLink {
	link_id: number;
	created_at: string;
}

/** What of a link is to change; what is left out stays. */
export interface LinkChanges {
	title?: string;
	link?: string;
	/** null takes the link out of its group. */
	group_id?: number | null;
}

/** A link, as the list of links has it. */
export interface ListedLink {
	link_id: number;
	created_at: string;
	title: string;
	image: string | null;
	link: string;
	/** Its place among all links that the profile shows, from 0. */
	position: number;
	/** What it holds is not documented. */
	meta: Record<string, never>;
}

/** The most links that a list has; there is no way to get more. */
const LONGEST_LIST = 50;

/**
 * The links of an account. Emits `change` after each change. The contract shows nothing of links:
 * this follows the public documentation of a service with this API, and its clients.
 */
export class Links extends EventEmitter<{ change: [] }> {
	readonly #groups: readonly Group[];
	readonly #now: () => number;
	#links: readonly Link[] = [];
	#lastId = 0;

	/**
	 * @param seeds the links to begin with, the oldest first
	 * @param now the time, in milliseconds
	 */
	constructor(seeds: readonly NewLink[], groups: readonly Group[], now: () => number = Date.now) {
		super();
		this.#groups = groups;
		this.#now = now;
		for (const seed of seeds) this.#addOnTop(seed);
	}

	/** All links, also those that are not shown yet, the top one first. */
	get all(): readonly Link[] {
		return this.#links;
	}

	/** Whether the profile does not show a link yet. */
	isScheduled({ schedule_from: from }: Link): boolean {
		return from !== undefined && Date.parse(from) > this.#now();
	}

	/**
	 * The links that the profile shows, the top one first, but no more than a list has.
	 *
	 * @param groupId the group that they are in; any if left out
	 * @throws NotThere if there is no such group
	 */
	list(groupId?: number): ListedLink[] {
		this.#checkGroup(groupId);
		return this.#links
			.filter((link) => !this.isScheduled(link))
			.map((link, position) => ({ ...link, position }))
			.filter(({ group_id: id }) => groupId === undefined || id === groupId)
			.slice(0, LONGEST_LIST)
			.map(({ link_id, created_at, title, image = null, link, position }) => {
				return { link_id, created_at, title, image, link, position, meta: {} };
			});
	}

	/**
	 * Adds a link, on top.
	 *
	 * @throws NotThere if there is no such group
	 */
	add(newLink: NewLink): Link {
		this.#checkGroup(newLink.group_id);
		const link = this.#addOnTop(newLink);
		this.emit('change');
		return link;
	}

	/**
	 * Changes a link, in its place.
	 *
	 * @throws NotThere if there is no such link or group
	 */
	edit(linkId: number, changes: LinkChanges): void {
		const before = this.#find(linkId);
		this.#checkGroup(changes.group_id);
		const { title = before.title, link = before.link, group_id = before.group_id } = changes;
		const after = { ...before, title, link, group_id: group_id ?? undefined };
		this.#links = this.#links.map((other) => (other === before ? after : other));
		this.emit('change');
	}

	/** @throws NotThere if there is no such link */
	delete(linkId: number): void {
		const link = this.#find(linkId);
		this.#links = this.#links.filter((other) => other !== link);
		this.emit('change');
	}

	#addOnTop(newLink: NewLink): Link {
		this.#lastId += 1;
		const created_at = toText(this.#now());
		const link = { ...newLink, link_id: this.#lastId, created_at };
		this.#links = [link, ...this.#links];
		return link;
	}

	#find(linkId: number): Link {
		const link = this.#links.find(({ link_id: id }) => id === linkId);
		if (!link) throw new NotThere(`There is no link ${linkId}.`);
		return link;
	}

	#checkGroup(groupId: number | null | undefined): void {
		if (groupId === null || groupId === undefined) return;
		if (this.#groups.some(({ group_id: id }) => id === groupId)) return;
		throw new NotThere(`There is no group ${groupId}.`);
	}
}

/** Writes a time as the service does: to the second, with its offset. */
function toText(time: number): string {
	return new Date(time).toISOString().replace(/\.\d+Z$/, '+00:00');
}
