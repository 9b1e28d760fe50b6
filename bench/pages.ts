import type { PageSeed } from '../sandbox/account';
import type { NewLink } from '../sandbox/links';

/** Number of pages with 10 blocks. */
const SMALL_PAGES = 5000;

const SMALL = 10;

/** The other pages: one of each size. */
const LARGE = [10, 100, 1000, 10_000];

/** Returns the IDs of the first `count` pages with 10 blocks. */
export function smallPages(count: number): string[] {
	return Array.from({ length: count }, (_, index) => `PAGE_small_${index}`);
}

/** Returns the ID of the page with this number of blocks. */
export function largePage(blocks: number): string {
	return `PAGE_large_${blocks}`;
}

/** Returns the initial pages of the service. */
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
			// As long as the service's own IDs.
			id: `65f1c0a2b3d4e.${String(index).padStart(8, '0')}`,
			type: 'BLOCK_TITLE',
		})),
	};
}

/** As many as the service lists. */
const LINKS = 50;

/** Returns the initial links of the service. */
export function linkSeeds(): NewLink[] {
	return Array.from({ length: LINKS }, newLink);
}

export function newLink(): NewLink {
	return { title: 'One of many links of the profile', link: 'https://example.com/one-of-many' };
}
