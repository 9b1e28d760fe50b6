import { limitFields, readLimit } from '../../fields/limit';
import { type Operation, sending } from '../operation';
import { pageList, requestForList } from './configuredLists';

/** List all pages (docs/api.md, section 4.8). */
export const getAllPages: Operation = {
	shown: {
		name: 'Get Many',
		value: 'getAll',
		description: 'Get the pages of the profile',
		action: 'Get many pages',
	},
	fields: limitFields,
	plan: ([item], { credential }) => {
		const limit = readLimit(item);
		return sending(requestForList(pageList, credential), (pages) => ({
			items: item.output(pages.slice(0, limit).map(({ json }) => json)),
		}));
	},
};
