import type { IDataObject } from 'n8n-workflow';

import { choiceField, Field, notice } from '../../fields/field';
import { forItem, type Item } from '../../fields/item';
import { readId } from '../../fields/readers';
import { invalid } from '../../shared/failure';
import { asText, joined, quotable } from '../../shared/values';
import { keys } from '../keys';
import { type Inputs, type Operation, sending } from '../operation';
import { pageField, readPage } from '../pages/pageField';
import { blocksField, IDS } from './blockFields';
import { orderRequest, warnOfOrder } from './order';

const LIST_EACH =
	'List every block on the page, each exactly once, and check the Page: to enter its name, set Page to Name.';
const ONE_BLOCK =
	'Each input item sends an order of its own, and this one has a single block: to use each item as one block, set Block Order to From Input Items.';
const ONE_PAGE = 'Items form one order only if they have the same page.';

const blockOrder = choiceField('Block Order', 'blockOrder', {
	noDataExpression: true,
	options: [
		{ name: 'Block IDs', value: 'list', description: 'Enter the block IDs, or use the result of an expression' },
		{
			name: 'From Input Items',
			value: 'inputItems',
			description: 'Use each input item as one block, in the order of the items',
		},
	],
	default: 'list',
	description: 'Where the order of the blocks comes from',
});

const idsNotice = notice(
	'idsNotice',
	'The order must contain every block of the page. To order blocks by name, use the operation Move Blocks, with Move to Top and all names in their order.',
);

const blockIdsField = blocksField(
	{
		displayName: 'Block IDs',
		name: 'blockIds',
		type: 'string',
		typeOptions: { rows: 4 },
		required: true,
		default: '',
		placeholder: 'e.g. 65f1c0a2b3d4e1.10481516\n65f1c0a2b3d4e2.23420815',
		description:
			'The IDs of all blocks on the page, from top to bottom: one on each line, separated by commas, or a JSON array. An expression can return a list of IDs, or of blocks. Each input item sends one order: to send only one, turn on Execute Once in the settings of the node.',
		displayOptions: { show: { blockOrder: ['list'] } },
	},
	IDS,
	'List every block on the page, from top to bottom, or use the operation Move Blocks.',
);

const BLOCK_ID = 'Block ID';

const blockIdField = new Field(
	{
		displayName: BLOCK_ID,
		name: 'blockId',
		type: 'string',
		required: true,
		default: '={{ $json.id }}',
		description: 'The ID of the block that each input item is',
		displayOptions: { show: { blockOrder: ['inputItems'] } },
	},
	(value) => [readId(value, BLOCK_ID, 'Every input item needs a block ID.')],
);

/** Reorder blocks in a page (docs/api.md, section 4.2). */
export const reorderBlocks: Operation = {
	shown: {
		name: 'Reorder Blocks',
		value: 'reorder',
		description: 'Set the order of all blocks on a page, by their IDs. To use names, choose Move Blocks.',
		action: 'Reorder all blocks on page',
	},
	fields: [pageField, blockOrder, idsNotice, blockIdsField, blockIdField],
	hasPreview: true,
	groupBy: async (item, session) => (isOneBlock(item) ? (await readPage(item, session)).id : undefined),
	plan: async (inputs, session) => {
		const [item] = inputs;
		const page = await readPage(item, session);
		const itemOf = readBlockIds(inputs);
		const blockIds = [...itemOf.keys()];
		const advice = [LIST_EACH, isOneBlock(item) ? ONE_PAGE : blockIds.length === 1 && ONE_BLOCK];
		const toResult = (blocks: IDataObject[]) => ({
			items: blocks.flatMap((block) => {
				return (itemOf.get(asText(block.id)) ?? item).output([{ ...block, page_id: page.id }]);
			}),
			warnings: warnOfOrder(page, blockIds, blocks),
		});
		return sending(orderRequest(page, blockIds, joined(' ', ...advice)), toResult, keys.page(page.id));
	},
};

/** Whether each input item is a block, and those of a page are its order. */
function isOneBlock(item: Item): boolean {
	return blockOrder.read(item) === 'inputItems';
}

/** Reads the IDs of the blocks in their new order, each with the item it comes from. Throws Failure if one occurs twice. */
function readBlockIds(inputs: Inputs): Map<string, Item> {
	const itemOf = new Map<string, Item>();
	const add = (item: Item) => {
		const field = isOneBlock(item) ? blockIdField : blockIdsField;
		for (const id of field.read(item)) {
			const first = itemOf.get(id);
			const where = first === item ? '' : `, in items ${first?.index} and ${item.index}`;
			const problem = `block "${quotable(id)}" is listed twice${where}`;
			if (first) throw invalid(field.shown.displayName, problem, 'List each block once.');
			itemOf.set(id, item);
		}
	};
	for (const item of inputs) forItem(item, () => add(item));
	return itemOf;
}
