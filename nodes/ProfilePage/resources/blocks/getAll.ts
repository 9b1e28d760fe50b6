import { limitFields, readLimit } from '../../fields/limit';
import { type Operation, sending } from '../operation';
import { blockList, requestForList } from '../pages/configuredLists';
import { pageField, readPage } from '../pages/pageField';

/** List blocks in a page (docs/api.md, section 4.8). */
export const getAllBlocks: Operation = {
	shown: {
		name: 'Get Many',
		value: 'getAll',
		description: 'Get the blocks of a page, from top to bottom',
		action: 'Get many blocks of page',
	},
	fields: [pageField, ...limitFields],
	plan: async ([item], session) => {
		const { id } = await readPage(item, session);
		const limit = readLimit(item);
		return sending(requestForList(blockList, session.credential, id), (blocks) => ({
			items: item.output(blocks.slice(0, limit).map(({ json }) => json)),
		}));
	},
};
