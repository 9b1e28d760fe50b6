import { limitFields } from '../../fields/limit';
import { blockList, planList } from '../entries';
import type { Operation } from '../operation';
import { loadPages, pageField, pathsNotice, readPage } from '../pages/pageField';

/** List blocks in a page (docs/api.md, section 4.8). */
export const getAllBlocks: Operation = {
	shown: {
		name: 'Get Many',
		value: 'getAll',
		description: 'Get the blocks of a page, from top to bottom',
		action: 'Get many blocks of page',
	},
	fields: [pageField, pathsNotice(), ...limitFields],
	loadPages,
	plan: ([item], pages) => planList(item, blockList, readPage(item, pages).id),
};
