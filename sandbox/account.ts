import { EventEmitter } from 'node:events';

import { BadRequest } from './errors';
import { type Group, Links, type NewLink } from './links';

/** A block, as the reorder endpoint returns it (docs/api.md, section 2.3). */
export interface Block {
	id: string;
	type: string;
	position: number;
}

/** A page and its blocks, topmost first. */
export interface Page {
	id: string;
	blocks: readonly Block[];
}

/** An initial page: its ID and its blocks, topmost first. */
export interface PageSeed {
	id: string;
	blocks: ReadonlyArray<Omit<Block, 'position'>>;
}

/** The position that a request asks for, for one block. */
export interface Placement {
	id: string;
	position: number;
}

/** The initial contents of an account. */
export interface AccountSeed {
	pages: readonly PageSeed[];
	/** Oldest first. */
	links: readonly NewLink[];
	groups: readonly Group[];
}

/** The public address of the profile. */
export const PROFILE_URL = 'https://example.com/sandbox';

/**
 * The account that the sandbox serves: pages with blocks, and links with groups. Emits `change` after
 * every change.
 */
export class Account extends EventEmitter<{ change: [] }> {
	readonly links: Links;
	readonly groups: readonly Group[];
	readonly #pages: Map<string, Page>;

	constructor({ pages, links, groups }: AccountSeed) {
		super();
		this.setMaxListeners(0);
		this.groups = groups;
		this.links = new Links(links, groups);
		this.links.on('change', () => this.emit('change'));
		this.#pages = new Map(
			pages.map(({ id, blocks }) => [
				id,
				{ id, blocks: blocks.map((block, position) => ({ ...block, position })) },
			]),
		);
	}

	get pages(): Page[] {
		return [...this.#pages.values()];
	}

	page(pageId: string): Page | undefined {
		return this.#pages.get(pageId);
	}

	/** Returns the IDs of a page's blocks, topmost first; an empty list for an unknown page. */
	order(pageId: string): string[] {
		return this.page(pageId)?.blocks.map(({ id }) => id) ?? [];
	}

	/**
	 * Reorders all blocks of a page (docs/api.md, section 4.2).
	 *
	 * @throws BadRequest unless each block of the page appears exactly once and the positions are 0 to
	 *   n-1
	 */
	reorder(pageId: string, placements: readonly Placement[]): Page {
		const page = this.#pages.get(pageId);
		if (!page) throw new BadRequest(`There is no page ${pageId}.`);

		const positions = positionsById(placements);
		const onPage = new Set(page.blocks.map(({ id }) => id));
		for (const id of positions.keys()) {
			if (!onPage.has(id)) throw new BadRequest(`The page has no block ${id}.`);
		}
		const blocks: Block[] = [];
		for (const block of page.blocks) {
			const position = positions.get(block.id);
			if (position === undefined) throw new BadRequest(`Block ${block.id} is missing.`);
			blocks[position] = { ...block, position };
		}
		const reordered = { id: pageId, blocks };
		this.#pages.set(pageId, reordered);
		this.emit('change');
		return reordered;
	}
}

function positionsById(placements: readonly Placement[]): Map<string, number> {
	const positions = new Map<string, number>();
	const taken = new Set<number>();
	for (const { id, position } of placements) {
		if (positions.has(id)) throw new BadRequest(`Block ${id} is listed twice.`);
		if (taken.has(position)) throw new BadRequest(`Position ${position} is given twice.`);
		if (position < 0 || position >= placements.length) {
			throw new BadRequest(`Position ${position} is outside 0 to ${placements.length - 1}.`);
		}
		positions.set(id, position);
		taken.add(position);
	}
	return positions;
}
