import { EventEmitter } from 'node:events';

import { NotFound } from './errors';

export interface Group {
	group_id: number;
	group_name: string;
}

export interface NewLink {
	title: string;
	/** The URL. */
	link: string;
	image?: string;
	group_id?: number;
	/** When the profile shows it. */
	schedule_from?: string;
	schedule_to?: string;
}

export interface Link extends NewLink {
	link_id: number;
	created_at: string;
}

/** The fields of a link to change; omitted fields stay the same. */
export interface LinkChanges {
	title?: string;
	link?: string;
	/** null removes the link from its group. */
	group_id?: number | null;
}

/** A link in the response of the list endpoint. */
export interface ListedLink {
	link_id: number;
	created_at: string;
	title: string;
	image: string | null;
	link: string;
	/** Its 0-based position among all links that the profile shows. */
	position: number;
	/** Its contents are not documented. */
	meta: Record<string, never>;
}

/** The list endpoint has no pagination: it returns the newest links only. */
const LIST_LIMIT = 50;

/**
 * The links of an account. Emits `change` after every change. The contract does not describe links:
 * the behavior follows the public documentation of a service with this API, and its clients.
 */
export class Links extends EventEmitter<{ change: [] }> {
	readonly #groups: readonly Group[];
	readonly #now: () => number;
	#links: readonly Link[] = [];
	#lastId = 0;

	/**
	 * @param seeds the initial links, oldest first
	 * @param now returns the current time in milliseconds
	 */
	constructor(seeds: readonly NewLink[], groups: readonly Group[], now: () => number = Date.now) {
		super();
		this.#groups = groups;
		this.#now = now;
		for (const seed of seeds) this.#addOnTop(seed);
	}

	/** All links, including scheduled ones, topmost first. */
	get all(): readonly Link[] {
		return this.#links;
	}

	/** Whether the link is not public yet. */
	isScheduled({ schedule_from: from }: Link): boolean {
		return from !== undefined && Date.parse(from) > this.#now();
	}

	/**
	 * Returns the public links, topmost first, up to the limit of the list endpoint.
	 *
	 * @param groupId limits the list to a group
	 * @throws NotFound if the group does not exist
	 */
	list(groupId?: number): ListedLink[] {
		this.#checkGroup(groupId);
		return this.#links
			.filter((link) => !this.isScheduled(link))
			.map((link, position) => ({ ...link, position }))
			.filter(({ group_id: id }) => groupId === undefined || id === groupId)
			.slice(0, LIST_LIMIT)
			.map(({ link_id, created_at, title, image = null, link, position }) => {
				return { link_id, created_at, title, image, link, position, meta: {} };
			});
	}

	/**
	 * Adds a link at the top.
	 *
	 * @throws NotFound if the group does not exist
	 */
	add(newLink: NewLink): Link {
		this.#checkGroup(newLink.group_id);
		const link = this.#addOnTop(newLink);
		this.emit('change');
		return link;
	}

	/**
	 * Changes a link without moving it.
	 *
	 * @throws NotFound if the link or the group does not exist
	 */
	edit(linkId: number, changes: LinkChanges): void {
		const before = this.#find(linkId);
		this.#checkGroup(changes.group_id);
		const { title = before.title, link = before.link, group_id = before.group_id } = changes;
		const after = { ...before, title, link, group_id: group_id ?? undefined };
		this.#links = this.#links.map((other) => (other === before ? after : other));
		this.emit('change');
	}

	/** @throws NotFound if the link does not exist */
	delete(linkId: number): void {
		const link = this.#find(linkId);
		this.#links = this.#links.filter((other) => other !== link);
		this.emit('change');
	}

	#addOnTop(newLink: NewLink): Link {
		this.#lastId += 1;
		const created_at = formatTime(this.#now());
		const link = { ...newLink, link_id: this.#lastId, created_at };
		this.#links = [link, ...this.#links];
		return link;
	}

	#find(linkId: number): Link {
		const link = this.#links.find(({ link_id: id }) => id === linkId);
		if (!link) throw new NotFound(`There is no link ${linkId}.`);
		return link;
	}

	#checkGroup(groupId: number | null | undefined): void {
		if (groupId === null || groupId === undefined) return;
		if (this.#groups.some(({ group_id: id }) => id === groupId)) return;
		throw new NotFound(`There is no group ${groupId}.`);
	}
}

/** The service's format: whole seconds and a numeric offset. */
function formatTime(time: number): string {
	return new Date(time).toISOString().replace(/\.\d+Z$/, '+00:00');
}
