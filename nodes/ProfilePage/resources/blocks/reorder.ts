import type { IDataObject } from 'n8n-workflow';

import { choiceField, notice } from '../../fields/field';
import type { Item } from '../../fields/item';
import type { Client } from '../../service/client';
import { asText } from '../../shared/values';
import { loadNames, Names } from '../names';
import type { Call, Inputs, Operation } from '../operation';
import { preview } from '../options';
import { type Page, pageField, preparePages } from '../pages/pageField';
import { arrange } from './arrangement';
import { blocksField, orderField } from './blockFields';
import { blockIdField, readInputItems } from './inputItems';
import { includePageId, noteFor, orderParser, orderRequest, readOfPage } from './order';
import { readArrangement } from './readArrangement';
import { describeRotation, readPositions, rotationFields } from './rotation';

const LIST_ALL = 'List every block on the page, from top to bottom, or use the operation Move Blocks.';
const LIST_EACH = 'List every block on the page, each exactly once, and check the Page.';
const ONE_BLOCK =
	'Each input item sends an order of its own, and this one has a single block: to use each item as one block, set Block Order to From Input Items.';

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

const blockIds = orderField({
	displayName: 'Block IDs',
	name: 'blockIds',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Block ID', sortable: true },
	default: [],
	placeholder: 'e.g. 65f1c0a2b3d4e5.12345678',
	description:
		'The IDs of all blocks on the page, from top to bottom. To paste a whole list, set Block Order to Block IDs From a Value.',
	displayOptions: { show: { blockOrder: ['list'] } },
	ifEmpty: LIST_ALL,
});

const blockIdsValue = orderField({
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
	ifEmpty: LIST_ALL,
});

const fields = {
	arrangement: choiceField('Arrangement', 'arrangement', {
		noDataExpression: true,
		options: [
			{ name: 'As Listed', value: 'asListed', description: 'Keep the given order' },
			{ name: 'Move to Bottom', value: 'moveToBottom', description: 'Put some blocks last, after the others' },
			{ name: 'Move to Top', value: 'moveToTop', description: 'Put some blocks first, then the others' },
			{ name: 'Reverse', value: 'reverse', description: 'Reverse the given order' },
			{ name: 'Rotate', value: 'rotate', description: 'Begin with another block each hour, day, week, or month' },
			{ name: 'Shuffle', value: 'shuffle', description: 'Use a random order' },
		],
		default: 'asListed',
		description: 'How to change the given order before it is sent',
	}),
	blocksToMove: blocksField({
		displayName: 'Blocks to Move',
		// Not the name in Move Blocks: n8n 1 keeps the value when the operation is changed, and does not show it.
		name: 'blockIdsToMove',
		type: 'string',
		typeOptions: { rows: 4 },
		required: true,
		default: '',
		placeholder: 'e.g. 65f1c0a2b3d4e5.12345678',
		description:
			'The IDs of the blocks to move, in their new order: a JSON array, or IDs separated by commas or new lines. An expression can return a list of IDs, or of blocks with an ID.',
		displayOptions: { show: { arrangement: ['moveToBottom', 'moveToTop'] } },
		ifEmpty: 'List the blocks to move, or set Arrangement to As Listed.',
	}),
	blocksToKeep: blocksField({
		displayName: 'Blocks to Keep in Place',
		name: 'blockIdsToKeep',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. 65f1c0a2b3d4e5.12345678',
		description:
			'The IDs of blocks that keep their positions, such as a title at the top, written as in Block IDs. The others move among the rest.',
		displayOptions: { show: { arrangement: ['reverse', 'rotate', 'shuffle'] } },
	}),
	positions: { read: readPositions },
};

/** Reorder blocks in a page (docs/api.md, section 4.2). */
export const reorderBlocks: Operation = {
	shown: {
		name: 'Reorder Blocks',
		value: 'reorder',
		description: 'Set the order of all blocks on a page, by their IDs',
		action: 'Reorder all blocks on page',
	},
	fields: [
		...[pageField, blockOrder, idsNotice, blockIds, blockIdsValue, blockIdField],
		...[fields.arrangement, fields.blocksToMove, fields.blocksToKeep, ...rotationFields],
	],
	itemName: pageField,
	options: [includePageId, preview],
	prepare: async (items, client) => {
		const readPage = await preparePages(items, client);
		return {
			groupBy: (item) => (isOneBlock(item) ? readPage(item).id : undefined),
			plan: (inputs) => planOrder(inputs, readPage(inputs[0])),
		};
	},
};

function planOrder(inputs: Inputs, page: Page): Call {
	const [item] = inputs;
	const blocks = readBlocks(inputs);
	const given = [...blocks.keys()];
	const arrangement = readArrangement([item], fields)(namesOf(given, page));
	const order = arrange(given, arrangement);
	const ofPage = readOfPage(item, page);
	const toItems = (block: IDataObject) => (blocks.get(asText(block.id)) ?? item).output([{ ...block, ...ofPage }]);
	const isOne = given.length === 1 && !isOneBlock(item);
	const request = orderRequest(page, order, isOne ? `${LIST_EACH} ${ONE_BLOCK}` : LIST_EACH);
	const perform = async (client: Client) => {
		const notes: string[] = [];
		if (arrangement.kind === 'rotate') {
			const names = await loadNamesToShow(client, item, page);
			notes.push(noteFor(client, describeRotation(item, page, order, arrangement, names)));
		}
		return await client.request(request, orderParser(page, order, toItems, notes));
	};
	return { purpose: request, perform, key: page.id };
}

/** Whether each input item is a block, and those of a page are its order. The field takes no expressions. */
function isOneBlock(item: Item): boolean {
	return item.raw(blockOrder.shown) === 'inputItems';
}

function readBlocks(inputs: Inputs): Map<string, Item> {
	const [item] = inputs;
	if (isOneBlock(item)) return readInputItems(inputs);
	const field = blockOrder.read(item) === 'value' ? blockIdsValue : blockIds;
	return new Map(field.read(item).map((id) => [id, item]));
}

/** Blocks of a given order are known by their IDs alone. */
function namesOf(blockIds: readonly string[], { label }: Page): Names {
	const entries = blockIds.map((id) => ({ id, name: '', idProperty: 'id', json: { id } }));
	return new Names(entries, 'block', `the order of ${label}`);
}

/** Loads the names of blocks for a preview. A run sends no request for names, and shows IDs. */
async function loadNamesToShow(client: Client, { paths }: Item, page: Page): Promise<Names> {
	const none = new Names([], 'block', page.label, client.account.secrets);
	return client.isPreview ? await loadNames(client, paths, page).catch(() => none) : none;
}
