import type { IDataObject } from 'n8n-workflow';

import { followPath, parsePath } from '../../fields/expression';
import type { Item } from '../../fields/item';
import { readText } from '../../fields/readers';
import { invalid, settle } from '../../service/failure';
import { asText, quotable } from '../../shared/values';
import { type Operation, type Plan, planEach, type PlannedCall, planTogether, sending } from '../operation';
import { type Page, readPage } from '../pages/pageField';
import { readArrangement } from './arrangement';
import { planCurrentOrder } from './currentOrder';
import { includePageId, orderParser, orderRequest, readOutput } from './order';
import { reorderFields } from './reorderFields';
import { describeRotation } from './rotation';

const LIST_EACH = 'List every block on the page, each exactly once, and check the Page.';
const LIST_EACH_IN_ITEM = `${LIST_EACH} Each input item sends an order of its own, and this one has a single block: to use each item as one block, set Block Order to From Input Items.`;

/** Reorder blocks in a page (docs/api.md, section 4.2). */
export const reorderBlocks: Operation = {
	shown: {
		name: 'Reorder Blocks',
		value: 'reorder',
		description: 'Set the order of all blocks on a page',
		action: 'Reorder or rotate blocks on page',
	},
	fields: Object.values(reorderFields),
	options: [includePageId],
	plan: (items) => {
		// It takes no expressions, so it is the same for all items. `planItem` reports an invalid value.
		const blockOrder = items[0]?.raw(reorderFields.blockOrder.shown);
		if (blockOrder === 'inputItems') return planPages(items);
		return planEach(items, (item) => planItem(item, items.length > 1 ? LIST_EACH_IN_ITEM : LIST_EACH));
	},
};

/** The blocks of a page by their IDs, from top to bottom, with the input item of each. */
type Blocks = Map<string, Item>;

/**
 * Each item contains a whole order, or how to change the current one. Throws Failed if a field is invalid.
 *
 * @param adviceForOne what to do if the service rejects an order of a single block
 */
function planItem(item: Item, adviceForOne: string): Plan {
	const blockOrder = reorderFields.blockOrder.read(item);
	if (blockOrder === 'current') return planCurrentOrder(item);
	const page = readPage(item);
	const field = blockOrder === 'value' ? reorderFields.blockIdsValue : reorderFields.blockIds;
	const blocks = new Map(field.read(item).map((id) => [id, item]));
	return planReorder(item, page, blocks, blocks.size === 1 ? adviceForOne : LIST_EACH);
}

type ItemsOfPage = [first: Item, ...others: Item[]];

/** From Input Items: each item contains a block, and the items of a page are its order. */
function planPages(items: readonly Item[]): PlannedCall[] {
	const pages = new Map<string, { page: Page; itsItems: ItemsOfPage }>();
	const planned: PlannedCall[] = [];
	for (const item of items) {
		const read = settle(() => readPage(item));
		if (read.outcome !== 'done') {
			planned.push({ inputs: [item], failure: read });
			continue;
		}
		const page = read.result;
		const known = pages.get(page.id);
		if (known) known.itsItems.push(item);
		else pages.set(page.id, { page, itsItems: [item] });
	}
	for (const { page, itsItems } of pages.values()) planned.push(planPage(page, itsItems));
	return planned.sort((a, b) => a.inputs[0].index - b.inputs[0].index);
}

/** Plans the call for a page. Its items are its blocks; the other fields are read from the first of them. */
function planPage(page: Page, items: ItemsOfPage): PlannedCall {
	const blocks: Blocks = new Map();
	for (const item of items) {
		const added = settle(() => addBlock(blocks, item));
		if (added.outcome === 'done') continue;
		return { inputs: items, failure: added, itemAtFault: item };
	}
	return planTogether(items, () => planReorder(items[0], page, blocks, LIST_EACH));
}

/** Plans to send a given order. Throws Failed if another field of the item is invalid. */
function planReorder(item: Item, page: Page, blocks: Blocks, advice: string): Plan {
	const given = [...blocks.keys()];
	const { arrange, positions } = readArrangement(item, 'given');
	const blockIds = arrange(given);
	const notes = positions === undefined ? [] : [describeRotation(item, page, given, positions)];
	const output = readOutput(item, page);
	const toItems = (block: IDataObject) => output(block, blocks.get(asText(block.id)));
	const parse = orderParser(page, blockIds, toItems, notes);
	return { key: page.id, ...sending(orderRequest(page, blockIds, advice), parse) };
}

/** Adds the block of an input item. Throws Failed if the path or the ID is invalid, or the page already has the block. */
function addBlock(blocks: Blocks, item: Item): void {
	const { json, index } = item;
	const field = reorderFields.blockIdField.shown.displayName;
	const path = reorderFields.blockIdField.read(item);
	// A field with dots in its own name wins over a path.
	const value = followPath(json, Object.hasOwn(json, path) ? [path] : parsePath(path));
	if (value === undefined) {
		const advice = 'Enter the name of the field that contains the block ID, such as id, not the ID itself.';
		throw invalid(field, `item ${index} has no field "${quotable(path)}"`, advice);
	}
	const what = `"${quotable(path)}" of item ${index}`;
	const blockId = readText(value, field, 'Every input item needs a block ID.', what);
	const earlier = blocks.get(blockId);
	if (earlier) {
		const problem = `block "${quotable(blockId)}" occurs twice on its page, in items ${earlier.index} and ${index}`;
		throw invalid(field, problem, 'Include each block of a page in one input item.');
	}
	blocks.set(blockId, item);
}
