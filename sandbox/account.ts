import { EventEmitter } from 'node:events';

import type { Clock } from './clock';
import { BadRequest } from './errors';
import { Links, type NewLink } from './links';
import { seededGroups } from './seed';

/** A block, as the reorder endpoint returns it (docs/api.md, section 2.3). */
export interface Block {
	id: string;
	type: string;
	position: number;
}

/** A page and its blocks, topmost first. */
export interface Page {
	id: string;
	title: string;
	blocks: readonly Block[];
	/** The title of each block by its ID. */
	blockTitles: ReadonlyMap<string, string | undefined>;
}

/** An initial page and its blocks, topmost first. Titles are "Untitled" by default. */
export interface PageSeed {
	id: string;
	title?: string;
	blocks: ReadonlyArray<{ id: string; type: string; title?: string }>;
}

/** The position that a request asks for, for one block. */
export interface Placement {
	id: string;
	position: number;
}

const UNTITLED = 'Untitled';

/** The public address of the profile. */
export const PROFILE_URL = 'https://example.com/sandbox';

/** The account that the sandbox serves: pages with blocks, and links with groups. Emits `change` after every change. */
export class Account extends EventEmitter<{ change: [] }> {
	readonly links: Links;
	readonly groups = seededGroups;
	/** The last request that has ordered blocks: its page, and the IDs of the blocks before it, topmost first. */
	lastReorder?: { pageId: string; before: readonly string[] };
	readonly #seeds: readonly PageSeed[];
	readonly #pages = new Map<string, Page>();

	/** @param links oldest first */
	constructor(pages: readonly PageSeed[], links: readonly NewLink[], clock: Clock) {
		super();
		this.links = new Links(links, this.groups, clock);
		this.links.on('change', () => this.emit('change'));
		this.#seeds = pages;
		this.reset();
	}

	/** Goes back to the initial pages and links. */
	reset(): void {
		for (const seed of this.#seeds) this.#pages.set(seed.id, createPage(seed));
		this.lastReorder = undefined;
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
	 * @throws BadRequest unless each block of the page appears exactly once and the positions are 0 to n-1
	 */
	reorder(pageId: string, placements: readonly Placement[]): Page {
		const page = this.existingPage(pageId);
		const positions = new Map(placements.map(({ id, position }) => [id, position]));
		const missing = page.blocks.find(({ id }) => !positions.has(id));
		if (missing) throw new BadRequest(`Block ${missing.id} is missing.`);
		const blocks = page.blocks
			.map((block) => ({ ...block, position: positions.get(block.id) ?? 0 }))
			.toSorted((a, b) => a.position - b.position);
		const isOrder = blocks.every(({ position }, index) => position === index);
		if (!isOrder || placements.length !== blocks.length) {
			throw new BadRequest('Each block of the page must be listed once, with the positions from 0 on.');
		}
		this.lastReorder = { pageId, before: this.order(pageId) };
		const reordered = { ...page, blocks };
		this.#pages.set(pageId, reordered);
		this.emit('change');
		return reordered;
	}
}

/** Returns the blocks of a page with their titles, which the reorder endpoint does not return, topmost first. */
export function titledBlocks({ blocks, blockTitles }: Page): Array<Block & { title: string }> {
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
