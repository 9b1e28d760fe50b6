import { EventEmitter } from 'node:events';

import { type Clock, formatTime } from './clock';
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
	/** When it becomes public. */
	schedule_from?: string;
	/** When it is no longer public. */
	schedule_to?: string;
}

export interface Link extends NewLink {
	link_id: number;
	created_at: string;
}

/** Where a link is in its schedule; without a schedule, it is public. */
export type LinkState = 'scheduled' | 'public' | 'ended';

/** The fields of a link to change; omitted fields stay the same. */
export interface LinkChanges {
	title?: string;
	link?: string;
	/** null removes the link from its group. */
	group_id?: number | null;
}

/** What the latest requests did with a link. */
export type LinkChange = 'added' | 'edited';

/** A link in the response of the list endpoint. */
export interface ListedLink {
	link_id: number;
	created_at: string;
	title: string;
	image: string | null;
	link: string;
	/** Its position among all public links; 0 is the oldest (docs/api.md, section 2.4). */
	position: number;
	/** Its contents are not documented. */
	meta: Record<string, never>;
}

/** The list endpoint has no pagination: it returns the newest links only. */
const LIST_LIMIT = 50;

/** Returns what people call a link. An edit may have cleared the title, the URL or both. */
export function titleOf({ title, link }: Pick<Link, 'title' | 'link'>): string {
	return title || link || 'Untitled';
}

/** Changes that follow each other within this time belong together; in milliseconds. */
const PAUSE = 10_000;

/**
 * Time between the creation of two initial links, in milliseconds: some days, and some hours and minutes,
 * so that the time of day differs.
 */
const SEED_INTERVAL = ((3 * 24 + 5) * 60 + 17) * 60_000;

/**
 * The links of an account. Emits `change` after every change, and after the clock is moved. The contract does
 * not describe links: the behavior follows the public documentation of a service with this API, and its clients.
 */
export class Links extends EventEmitter<{ change: [] }> {
	readonly #seeds: readonly NewLink[];
	readonly #groups: readonly Group[];
	readonly #clock: Clock;
	#links: readonly Link[] = [];
	#lastId = 0;
	/** By the ID of the link. */
	readonly #recentChanges = new Map<number, LinkChange>();
	/** In milliseconds since 1970, in real time. */
	#lastChange = 0;

	/** @param seeds the initial links, oldest first; they get creation times some days apart */
	constructor(seeds: readonly NewLink[], groups: readonly Group[], clock: Clock) {
		super();
		this.#seeds = seeds;
		this.#groups = groups;
		this.#clock = clock;
		this.reset();
		clock.on('change', () => this.emit('change'));
	}

	/** Goes back to the initial links, with their IDs. No later link gets the ID of an earlier one: a trigger would know it. */
	reset(): void {
		const lastId = this.#lastId;
		this.#lastId = 0;
		this.#links = [];
		this.#recentChanges.clear();
		const start = this.#clock.now();
		this.#seeds.forEach((seed, index) => {
			this.#addOnTop(seed, start - (this.#seeds.length - index) * SEED_INTERVAL);
		});
		this.#lastId = Math.max(this.#lastId, lastId);
		this.emit('change');
	}

	/** All links, including those that are not public, newest first. */
	get all(): readonly Link[] {
		return this.#links;
	}

	/** Returns what the latest changes that belong together, such as those of a workflow, did with a link. */
	recentChange(linkId: number): LinkChange | undefined {
		return this.#recentChanges.get(linkId);
	}

	/** A link is public from the second of `schedule_from` until the second of `schedule_to`. */
	stateOf({ schedule_from: from, schedule_to: to }: Link): LinkState {
		const now = this.#clock.now();
		if (from !== undefined && now < Date.parse(from)) return 'scheduled';
		if (to !== undefined && now >= Date.parse(to)) return 'ended';
		return 'public';
	}

	/**
	 * Returns the public links, newest first, up to the limit of the list endpoint.
	 *
	 * @param groupId limits the list to a group
	 * @throws NotFound if the group does not exist
	 */
	list(groupId?: number): ListedLink[] {
		this.#checkGroup(groupId);
		return this.#links
			.filter((link) => this.stateOf(link) === 'public')
			.map((link, index, { length }) => ({ ...link, position: length - 1 - index }))
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
		const link = this.#addOnTop(newLink, this.#clock.now());
		this.#emitChange(link, 'added');
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
		this.#emitChange(after, 'edited');
	}

	/** Deletes a link, if it exists (docs/api.md, section 4.6). */
	delete(linkId: number): void {
		const link = this.#links.find(({ link_id: id }) => id === linkId);
		if (!link) return;
		this.#links = this.#links.filter((other) => other !== link);
		this.#emitChange(link);
	}

	/** @param change undefined if the link was deleted */
	#emitChange({ link_id: id }: Link, change?: LinkChange): void {
		const now = Date.now();
		if (now - this.#lastChange > PAUSE) this.#recentChanges.clear();
		this.#lastChange = now;
		if (change && this.#recentChanges.get(id) !== 'added') this.#recentChanges.set(id, change);
		this.emit('change');
	}

	#addOnTop(newLink: NewLink, createdAt: number): Link {
		this.#lastId += 1;
		const link = { ...newLink, link_id: this.#lastId, created_at: formatTime(createdAt) };
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
