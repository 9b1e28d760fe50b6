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

/** The fields of a link to change; omitted fields stay the same. */
export interface LinkChanges {
	title?: string;
	link?: string;
	/** null removes the link from its group. */
	group_id?: number | null;
}

/** The list endpoint has no pagination: it returns the newest links only. */
const LIST_LIMIT = 50;

/** Time between the creation of two initial links, in milliseconds. The time of day differs. */
const SEED_INTERVAL = 77 * 3_600_000;

/**
 * The links of an account. Emits `change` after every change. The contract does not describe links: the behavior
 * follows the public documentation of a service with this API, and its clients.
 */
export class Links extends EventEmitter<{ change: [] }> {
	readonly #seeds: readonly NewLink[];
	readonly #groups: readonly Group[];
	readonly #clock: Clock;
	/** All links, including those that are not public, newest first. */
	all: readonly Link[] = [];
	#lastId = 0;

	/** @param seeds the initial links, oldest first; they get creation times some days apart */
	constructor(seeds: readonly NewLink[], groups: readonly Group[], clock: Clock) {
		super();
		this.#seeds = seeds;
		this.#groups = groups;
		this.#clock = clock;
		this.reset();
	}

	/** Goes back to the initial links, with their IDs. No later link gets the ID of an earlier one: a trigger would know it. */
	reset(): void {
		const start = this.#clock.now() - this.#seeds.length * SEED_INTERVAL;
		this.#lastId = Math.max(this.#lastId, this.#seeds.length);
		this.#change(this.#seeds.map((seed, index) => newLink(seed, index + 1, start + index * SEED_INTERVAL)).reverse());
	}

	/** A link is public from the second of `schedule_from` until the second of `schedule_to`. */
	stateOf({ schedule_from: from, schedule_to: to }: Link): 'scheduled' | 'public' | 'ended' {
		const now = this.#clock.now();
		if (from !== undefined && now < Date.parse(from)) return 'scheduled';
		if (to !== undefined && now >= Date.parse(to)) return 'ended';
		return 'public';
	}

	/**
	 * Returns the public links as the list endpoint does: the newest first, up to its limit. The position of the oldest
	 * public link is 0, and `meta` has contents that are not documented (docs/api.md, section 2.4).
	 *
	 * @param groupId limits the list to a group
	 * @throws NotFound if the group does not exist
	 */
	list(groupId?: number) {
		this.#checkGroup(groupId);
		return this.all
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
	add(added: NewLink): Link {
		this.#checkGroup(added.group_id);
		this.#lastId += 1;
		const link = newLink(added, this.#lastId, this.#clock.now());
		this.#change([link, ...this.all]);
		return link;
	}

	/**
	 * Changes a link without moving it.
	 *
	 * @throws NotFound if the link or the group does not exist
	 */
	edit(linkId: number, changes: LinkChanges): void {
		const before = this.all.find(({ link_id: id }) => id === linkId);
		if (!before) throw new NotFound(`There is no link ${linkId}.`);
		this.#checkGroup(changes.group_id);
		const { title = before.title, link = before.link, group_id = before.group_id } = changes;
		const after = { ...before, title, link, group_id: group_id ?? undefined };
		this.#change(this.all.map((other) => (other === before ? after : other)));
	}

	/** Deletes a link, if it exists (docs/api.md, section 4.6). */
	delete(linkId: number): void {
		const others = this.all.filter(({ link_id: id }) => id !== linkId);
		if (others.length < this.all.length) this.#change(others);
	}

	#change(all: readonly Link[]): void {
		this.all = all;
		this.emit('change');
	}

	#checkGroup(groupId: number | null | undefined): void {
		if (groupId === null || groupId === undefined) return;
		if (this.#groups.some(({ group_id: id }) => id === groupId)) return;
		throw new NotFound(`There is no group ${groupId}.`);
	}
}

function newLink(link: NewLink, id: number, createdAt: number): Link {
	return { ...link, link_id: id, created_at: formatTime(createdAt) };
}
