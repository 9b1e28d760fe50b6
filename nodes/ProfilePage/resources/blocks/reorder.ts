import type { IDataObject } from 'n8n-workflow';

import { choiceField, Field, notice } from '../../fields/field';
import { forItem, type Item } from '../../fields/item';
import { readId } from '../../fields/readers';
import { invalid } from '../../shared/failure';
import { asText, getOrCreate, quotable } from '../../shared/values';
import { keys } from '../keys';
import { type Inputs, type Operation, sending } from '../operation';
import { pageField, preparePages, readPage } from '../pages/pageField';
import { idsField } from './blockFields';
import { orderRequest, warnOfOrder } from './order';

const LIST_EACH = 'List every block on the page, each exactly once, and check the Page.';
const ONE_BLOCK =
	'Each input item sends an order of its own, and this one has a single block: to use each item as one block, set Block Order to From Input Items.';
const EACH_ITEM =
	'Include every block of the page in one input item. Items form one order only if their Page is written in the same way.';

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

const blockIdsField = idsField({
	displayName: 'Block IDs',
	name: 'blockIds',
	type: 'string',
	typeOptions: { rows: 4 },
	required: true,
	default: '',
	placeholder: 'e.g. 65f1c0a2b3d4e5.12345678',
	description:
		'The IDs of all blocks on the page, from top to bottom: one on each line, separated by commas, or a JSON array. An expression can return a list of IDs, or of blocks with an ID. Each input item sends one request: to send only one, turn on Execute Once in the settings of the node.',
	displayOptions: { show: { blockOrder: ['list'] } },
});

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
	(value) => readId(value, BLOCK_ID, 'Every input item needs a block ID.'),
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
	prepare: preparePages,
	groupBy: (item, session) => (isOneBlock(item) ? readPage(item, session).id : undefined),
	plan: (inputs, session) => {
		const [item] = inputs;
		const page = readPage(item, session);
		const itemOf = isOneBlock(item) ? readInputItems(inputs) : readBlockIds(item);
		const blockIds = [...itemOf.keys()];
		const ofList = blockIds.length === 1 ? `${LIST_EACH} ${ONE_BLOCK}` : LIST_EACH;
		const advice = isOneBlock(item) ? EACH_ITEM : ofList;
		const toResult = (blocks: IDataObject[]) => ({
			items: blocks.flatMap((block) => {
				return (itemOf.get(asText(block.id)) ?? item).output([{ ...block, page_id: page.id }]);
			}),
			warnings: warnOfOrder(page, blockIds, blocks),
		});
		return sending(orderRequest(page, blockIds, advice), toResult, keys.page(page.id));
	},
};

/** Whether each input item is a block, and those of a page are its order. */
function isOneBlock(item: Item): boolean {
	return blockOrder.read(item) === 'inputItems';
}

function readBlockIds(item: Item): Map<string, Item> {
	return new Map(blockIdsField.read(item).map((id) => [id, item]));
}

/** Reads the ID of the block that each input item is. Throws Failure if one is invalid, or occurs twice. */
function readInputItems(inputs: Inputs): Map<string, Item> {
	const itemOf = new Map<string, Item>();
	for (const item of inputs) {
		forItem(item, () => {
			const blockId = blockIdField.read(item);
			const first = getOrCreate(itemOf, blockId, () => item);
			if (first === item) return;
			const problem = `block "${quotable(blockId)}" occurs twice on its page, in items ${first.index} and ${item.index}`;
			throw invalid(BLOCK_ID, problem, 'Include each block of a page in one input item.');
		});
	}
	return itemOf;
}
