import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../service/client';
import { asText } from '../../shared/values';
import { blockList, requestForList } from '../entries';
import { loadNames } from '../names';
import type { Call, Inputs, Operation } from '../operation';
import { type Page, pageField, preparePages } from '../pages/pageField';
import { arrange, describeOrder } from './arrangement';
import { arrangementFields, readArrangement } from './arrangementFields';
import { includePageId, orderRequest, readPageColumn, reorderingOf } from './order';

const PAGE_CHANGED =
	'The page has probably changed since its blocks were read: one was added or removed. Run the workflow again. If that does not help, check the Page, and then that the list at Blocks Path in the credential contains every block of the page.';

/** List blocks in a page, and reorder them (docs/api.md, sections 4.8 and 4.2). */
export const moveBlocks: Operation = {
	shown: {
		name: 'Move Blocks',
		value: 'move',
		description:
			'Move blocks of a page by name, or rotate, reverse, or shuffle them. It moves no links: a new link is always on top.',
		action: 'Move or rotate blocks by name on page',
	},
	fields: [pageField, ...arrangementFields],
	options: [includePageId],
	hasPreview: true,
	prepare: async (items, client) => {
		const readPage = await preparePages(items, client);
		return { groupBy: (item) => readPage(item).id, plan: (inputs) => planMove(inputs, readPage(inputs[0])) };
	},
};

function planMove(inputs: Inputs, page: Page): Call {
	const [item] = inputs;
	const { repeat, find } = readArrangement(inputs);
	// An invalid path stops the node before it sends anything.
	requestForList(blockList, item.credential, page.id);
	const pageColumn = readPageColumn(item, page);
	const perform = async (client: Client) => {
		const names = await loadNames(client, item.credential, page);
		const blocks = new Map(names.entries.map((entry) => [entry.id, entry]));
		const arrangement = find(names);
		const blockIds = arrange([...blocks.keys()], arrangement);
		const note = describeOrder(blockIds, names, arrangement);
		const toItems = (block: IDataObject) => {
			const id = asText(block.id);
			const source = 'moved' in arrangement ? arrangement.moved.get(id) : undefined;
			// The response has no names.
			return (source ?? item).output([{ id: block.id, ...blocks.get(id)?.named, ...block, ...pageColumn }]);
		};
		return await client.request(...orderRequest({ page, blockIds, advice: PAGE_CHANGED, toItems, note }));
	};
	// No other execution may change the order between the two requests.
	return { purpose: { ...reorderingOf(page), repeat }, perform, key: page.id };
}
