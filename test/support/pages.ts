import type { PageSeed } from '../../sandbox/account';
import { BLOCKS_PATH, PAGES_PATH } from '../../sandbox/listsApi';

/** Pages that a sandbox has unless it is given others. */
export const HOME = 'PAGE_home_65f1c0a2b3d4e';
export const SHOP = 'PAGE_shop_65f1c0c7d8e9f';

/** A page with blocks of these IDs, for a sandbox to start with. */
export const pageSeed = (id: string, blockIds: readonly string[]): PageSeed => ({
	id,
	blocks: blockIds.map((blockId) => ({ id: blockId, type: 'BLOCK_TITLE' })),
});

/** The fields of a credential for the lists of the sandbox. */
export const LIST_PATHS = { pagesPath: PAGES_PATH, blocksPath: BLOCKS_PATH };
