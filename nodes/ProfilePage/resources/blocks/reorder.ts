import type { IDataObject } from 'n8n-workflow';

import { followPath, parsePath } from '../../fields/expression';
import type { Item } from '../../fields/item';
import { invalid, toFailure } from '../../service/failure';
import { asText, quotable } from '../../shared/values';
import { type Call, type Inputs, type Operation, sending } from '../operation';
import { preview } from '../options';
import { readPage } from '../pages/pageField';
import { readArrangement } from './arrangement';
import { readBlockId } from './blockIds';
import { planCurrentOrder } from './currentOrder';
import { includePageId, orderParser, orderRequest, readOutput } from './order';
import { reorderFields } from './reorderFields';
import { checkPreviewDate, describeRotation, previewDate } from './rotation';

/** Reorder blocks in a page (docs/api.md, section 4.2). */
export const reorderBlocks: Operation = {
	shown: {
		name: 'Reorder Blocks',
		value: 'reorder',
		description: 'Set the order of all blocks on a page',
		action: 'Reorder or rotate blocks on page',
	},
	fields: Object.values(reorderFields),
	nameField: reorderFields.pageId,
	options: [includePageId, preview, previewDate],
	groupBy: (item) => (isOneBlock(item) ? readPage(item).id : undefined),
	plan: (inputs) => {
		const [item] = inputs;
		checkPreviewDate(item);
		if (isOneBlock(item)) return planGivenOrder(item, readInputItems(inputs));
		const blockOrder = reorderFields.blockOrder.read(item);
		if (blockOrder === 'current') return planCurrentOrder(item);
		const field = blockOrder === 'value' ? reorderFields.blockIdsValue : reorderFields.blockIds;
		return planGivenOrder(item, new Map(field.read(item).map((id) => [id, item])));
	},
};

/** Whether each input item is a block, and those of a page are its order. The field takes no expressions. */
function isOneBlock(item: Item): boolean {
	return item.raw(reorderFields.blockOrder.shown) === 'inputItems';
}

/** The blocks of a page by their IDs, from top to bottom, with the input item of each. */
type Blocks = Map<string, Item>;

const LIST_EACH = 'List every block on the page, each exactly once, and check the Page.';
const ONE_BLOCK =
	'Each input item sends an order of its own, and this one has a single block: to use each item as one block, set Block Order to From Input Items.';

/** Plans to send a given order. Throws Failure if another field of the item is invalid. */
function planGivenOrder(item: Item, blocks: Blocks): Call {
	const page = readPage(item);
	const given = [...blocks.keys()];
	const arrangement = readArrangement(item, 'given');
	const blockIds = arrangement.arrange(given);
	const isRotated = arrangement.positions !== undefined;
	const notes = isRotated ? [describeRotation(item, page, given, arrangement)] : [];
	const output = readOutput(item, page);
	const toItems = (block: IDataObject) => output(block, blocks.get(asText(block.id)));
	const isOne = given.length === 1 && !isOneBlock(item);
	const request = orderRequest(page, blockIds, isOne ? `${LIST_EACH} ${ONE_BLOCK}` : LIST_EACH);
	return sending(request, orderParser(page, blockIds, toItems, notes), page.id);
}

/** Reads the block of each input item. Throws Failure if one is invalid, or occurs twice. */
function readInputItems(inputs: Inputs): Blocks {
	const blocks: Blocks = new Map();
	for (const item of inputs) {
		const blockId = readInputItem(item);
		const earlier = blocks.get(blockId);
		if (earlier) {
			const problem = `block "${quotable(blockId)}" occurs twice on its page, in items ${earlier.index} and ${item.index}`;
			throw invalid(BLOCK_ID_FIELD, problem, 'Include each block of a page in one input item.').with({
				itemIndex: item.index,
			});
		}
		blocks.set(blockId, item);
	}
	return blocks;
}

const BLOCK_ID_FIELD = reorderFields.blockIdField.shown.displayName;

/** Reads the ID of the block that an input item is. Throws Failure if the path or the ID is invalid. */
function readInputItem(item: Item): string {
	const { json, index } = item;
	try {
		const path = reorderFields.blockIdField.read(item);
		// A field with dots in its own name wins over a path.
		const value = followPath(json, Object.hasOwn(json, path) ? [path] : parsePath(path));
		if (value === undefined) {
			const advice = 'Enter the name of the field that contains the block ID, such as id, not the ID itself.';
			throw invalid(BLOCK_ID_FIELD, `item ${index} has no field "${quotable(path)}"`, advice);
		}
		const what = `"${quotable(path)}" of item ${index}`;
		return readBlockId(value, BLOCK_ID_FIELD, 'Every input item needs a block ID.', what);
	} catch (error) {
		throw toFailure(error).with({ itemIndex: index });
	}
}
