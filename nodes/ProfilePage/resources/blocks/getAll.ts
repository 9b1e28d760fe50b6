import { limitFields } from '../../fields/limit';
import { blockList, planList } from '../entries';
import type { Operation } from '../operation';
import { pageField, preparePages } from '../pages/pageField';

/** List blocks in a page (docs/api.md, section 4.8). */
export const getAllBlocks: Operation = {
	shown: {
		name: 'Get Many',
		value: 'getAll',
		description: 'Get the blocks of a page, from top to bottom',
		action: 'Get many blocks of page',
	},
	fields: [pageField, ...limitFields],
	prepare: async (items, client) => {
		const readPage = await preparePages(items, client);
		return { plan: ([item]) => planList(item, blockList, readPage(item).id) };
	},
};
