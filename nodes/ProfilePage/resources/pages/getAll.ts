import { type Item, planEach } from '../../fields/item';
import { limitFields, readLimit } from '../../fields/limit';
import type { Client } from '../../service/client';
import { mapDone } from '../../service/types';
import type { Operation, PlannedCall } from '../operation';
import { type List, pageList, readList } from './lists';
import { pathsNotice } from './pageField';

/** List all pages (docs/api.md, section 4.8). */
export const getAllPages: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		description: 'Get the pages of the profile',
		action: 'Get many pages',
	},
	fields: [pathsNotice(), ...limitFields],
	plan: (items) => planLists(items, pageList),
};

/** Plans to read a list for each item, up to the limit. `readPageId` returns the page whose list it is. */
export function planLists(items: readonly Item[], list: List, readPageId?: (item: Item) => string): PlannedCall[] {
	return planEach(items, (item) => {
		const pageId = readPageId?.(item);
		const limit = readLimit(item);
		const send = async (client: Client) =>
			mapDone(await readList(client, list, pageId), (entries) => {
				return { items: item.output(entries.slice(0, limit).map(({ json }) => json)) };
			});
		return { request: list.request, send };
	});
}
