import type { PageSeed } from '../sandbox/account';

/** The order that a page is to have. */
export interface PageOrder {
	readonly pageId: string;
	/** All blocks of the page, the top one first. */
	readonly ids: readonly string[];
}

/** How many pages of 10 blocks the service has. */
const SMALL_PAGES = 5000;

/** How many blocks a small page has. */
const SMALL = 10;

/** How many blocks the other pages have, one page of each size. */
const LARGE = [10, 100, 1000, 10_000];

/** @returns the IDs of the first so many pages of 10 blocks */
export function smallPages(count: number): string[] {
	return Array.from({ length: count }, (_, index) => `PAGE_small_${index}`);
}

/** @returns the ID of the one page with so many blocks */
export function largePage(blocks: number): string {
	return `PAGE_large_${blocks}`;
}

/** @returns all pages that the service begins with */
export function seeds(): PageSeed[] {
	return [
		...smallPages(SMALL_PAGES).map((id) => seed(id, SMALL)),
		...LARGE.map((blocks) => seed(largePage(blocks), blocks)),
	];
}

function seed(id: string, blocks: number): PageSeed {
	return {
		id,
		blocks: Array.from({ length: blocks }, (_, index) => ({
			// As long as those of the service.
			id: `65f1c0a2b3d4e.${String(index).padStart(8, '0')}`,
			type: 'BLOCK_TITLE',
		})),
	};
}
