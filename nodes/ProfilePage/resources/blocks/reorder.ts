import type { IDataObject } from 'n8n-workflow';

import { choiceField, notice } from '../../fields/field';
import type { Item } from '../../fields/item';
import { asText } from '../../shared/values';
import { type Inputs, type Operation, sending } from '../operation';
import { pageField, preparePages, readPage } from '../pages/pageField';
import { idsField } from './blockFields';
import { blockIdField, readInputItems } from './inputItems';
import { orderRequest, warnOfOrder } from './order';

const LIST_EACH = 'List every block on the page, each exactly once, and check the Page.';
const ONE_BLOCK =
	'Each input item sends an order of its own, and this one has a single block: to use each item as one block, set Block Order to From Input Items.';
const EACH_ITEM =
	'Include every block of the page in one input item. Items form one order only if their Page is written in the same way.';

const blockOrder = choiceField('Block Order', 'blockOrder', {
	noDataExpression: true,
	options: [
		{ name: 'Block IDs Below', value: 'list', description: 'Enter the block IDs here and move them into order' },
		{
			name: 'Block IDs From a Value',
			value: 'value',
			description: 'Paste the block IDs, one on each line, or use the result of an expression',
		},
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

const idsBelow = idsField({
	displayName: 'Block IDs',
	name: 'blockIds',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Block ID', sortable: true },
	default: [],
	placeholder: 'e.g. 65f1c0a2b3d4e5.12345678',
	description:
		'The IDs of all blocks on the page, from top to bottom. To paste a whole list, set Block Order to Block IDs From a Value.',
	displayOptions: { show: { blockOrder: ['list'] } },
});

const idsFromValue = idsField({
	displayName: 'Block IDs',
	name: 'blockIdsValue',
	type: 'string',
	typeOptions: { rows: 4 },
	required: true,
	default: '',
	placeholder: 'e.g. {{ $json.blocks }}',
	description:
		'The IDs of all blocks on the page, from top to bottom: one on each line, separated by commas, or a JSON array. An expression can return a list of IDs, or of blocks with an ID. Each input item sends one request: to send only one, turn on Execute Once in the settings of the node.',
	displayOptions: { show: { blockOrder: ['value'] } },
});

/** Reorder blocks in a page (docs/api.md, section 4.2). */
export const reorderBlocks: Operation = {
	shown: {
		name: 'Reorder Blocks',
		value: 'reorder',
		description: 'Set the order of all blocks on a page, by their IDs. To use names, choose Move Blocks.',
		action: 'Reorder all blocks on page',
	},
	fields: [pageField, blockOrder, idsNotice, idsBelow, idsFromValue, blockIdField],
	hasPreview: true,
	prepare: preparePages,
	groupBy: (item, session) => (isOneBlock(item) ? readPage(item, session).id : undefined),
	plan: (inputs, session) => {
		const [item] = inputs;
		const page = readPage(item, session);
		const sources = readBlocks(inputs);
		const blockIds = [...sources.keys()];
		const ofList = blockIds.length === 1 ? `${LIST_EACH} ${ONE_BLOCK}` : LIST_EACH;
		const advice = isOneBlock(item) ? EACH_ITEM : ofList;
		const toResult = (blocks: IDataObject[]) => ({
			items: blocks.flatMap((block) => {
				return (sources.get(asText(block.id)) ?? item).output([{ ...block, page_id: page.id }]);
			}),
			warnings: warnOfOrder(page, blockIds, blocks),
		});
		return sending(orderRequest(page, blockIds, advice), toResult, page.id);
	},
};

/** Whether each input item is a block, and those of a page are its order. */
function isOneBlock(item: Item): boolean {
	return blockOrder.read(item) === 'inputItems';
}

function readBlocks(inputs: Inputs): Map<string, Item> {
	const [item] = inputs;
	if (isOneBlock(item)) return readInputItems(inputs);
	const field = blockOrder.read(item) === 'value' ? idsFromValue : idsBelow;
	return new Map(field.read(item).map((id) => [id, item]));
}
