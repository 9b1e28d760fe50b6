import { EventEmitter } from 'node:events';

import type { Clock } from './clock';
import { BadRequest } from './errors';
import { type Group, Links, type NewLink } from './links';

/** A block, as the reorder endpoint returns it (docs/api.md, section 2.3). */
export interface Block {
	id: string;
	type: string;
	position: number;
}

/** A block with its title, which the reorder endpoint does not return. */
export interface TitledBlock extends Block {
	title: string;
}

/** A page and its blocks, topmost first. */
export interface Page {
	id: string;
	title: string;
	blocks: readonly Block[];
	/** The title of each block by its ID. */
	blockTitles: ReadonlyMap<string, string | undefined>;
	/** The last request that changed the order. */
	lastReorder?: Reorder;
}

/** A change of the order of a page's blocks. */
export interface Reorder {
	/** In milliseconds since 1970, in real time. */
	time: number;
	/** The IDs of the blocks before it, topmost first. */
	orderBefore: readonly string[];
}

/** An initial block. */
export interface BlockSeed extends Omit<Block, 'position'> {
	/** "Untitled" by default. */
	title?: string;
}

/** An initial page and its blocks, topmost first. */
export interface PageSeed {
	id: string;
	/** "Untitled" by default. */
	title?: string;
	blocks: readonly BlockSeed[];
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

const UNTITLED = 'Untitled';

/** The public address of the profile. */
export const PROFILE_URL = 'https://example.com/sandbox';

/**
 * The account that the sandbox serves: pages with blocks, and links with groups. Emits `change` after
 * every change, including those of {@link Links} over time.
 */
export class Account extends EventEmitter<{ change: [] }> {
	readonly links: Links;
	readonly groups: readonly Group[];
	readonly #seeds: readonly PageSeed[];
	readonly #pages = new Map<string, Page>();

	constructor({ pages, links, groups }: AccountSeed, clock: Clock) {
		super();
		this.groups = groups;
		this.links = new Links(links, groups, clock);
		this.links.on('change', () => this.emit('change'));
		this.#seeds = pages;
		this.reset();
	}

	/** Goes back to the initial pages and links. */
	reset(): void {
		for (const seed of this.#seeds) this.#pages.set(seed.id, createPage(seed));
		this.links.reset();
	}

	get pages(): Page[] {
		return [...this.#pages.values()];
	}

	page(pageId: string): Page | undefined {
		return this.#pages.get(pageId);
	}

	/** @throws BadRequest if the page does not exist */
	existingPage(pageId: string): Page {
		const page = this.page(pageId);
		if (!page) throw new BadRequest(`There is no page ${pageId}.`);
		return page;
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
		const page = this.existingPage(pageId);
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
		const hasChanged = page.blocks.some(({ id }, position) => id !== blocks[position]?.id);
		const lastReorder = hasChanged ? { time: Date.now(), orderBefore: this.order(pageId) } : page.lastReorder;
		const reordered = { ...page, blocks, lastReorder };
		this.#pages.set(pageId, reordered);
		this.emit('change');
		return reordered;
	}
}

/** Returns the blocks of a page with their titles, topmost first. */
export function titledBlocks({ blocks, blockTitles }: Page): TitledBlock[] {
	return blocks.map((block) => ({ ...block, title: blockTitles.get(block.id) ?? UNTITLED }));
}

function createPage({ id: pageId, title: pageTitle = UNTITLED, blocks }: PageSeed): Page {
	return {
		id: pageId,
		title: pageTitle,
		blocks: blocks.map(({ id, type }, position) => ({ id, type, position })),
		blockTitles: new Map(blocks.map(({ id, title }) => [id, title])),
	};
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
