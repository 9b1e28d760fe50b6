import { limitFields } from '../../fields/limit';
import { pageList, planList } from '../entries';
import type { Operation } from '../operation';

/** List all pages (docs/api.md, section 4.8). */
export const getAllPages: Operation = {
	shown: {
		name: 'Get Many',
		value: 'getAll',
		description: 'Get the pages of the profile',
		action: 'Get many pages',
	},
	fields: limitFields,
	plan: ([item]) => planList(item, pageList),
};
