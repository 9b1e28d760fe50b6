import type { IDataObject } from 'n8n-workflow';

import { followPath, parsePath } from '../../fields/expression';
import type { Item } from '../../fields/item';
import { readText, shorten } from '../../fields/readers';
import { invalid as invalidField } from '../../service/failure';
import { asText } from '../../shared/values';
import {
	type Call,
	type InvalidItem,
	isInvalid,
	type Operation,
	planEach,
	type PlannedCall,
	sending,
} from '../operation';
import { type Page, readPage } from '../pages/pageField';
import { readArrangement } from './arrangement';
import { planCurrentOrder } from './currentOrder';
import { includePageId, orderRequest, parseOrder, readOutput } from './order';
import { reorderFields } from './reorderFields';
import { describeRotation } from './rotation';

const LIST_EACH = 'List every block on the page, each exactly once, and check the Page.';
const ONE_ORDER_PER_ITEM =
	'Check the Page. Each input item sends an order of its own, and this one has a single block: to use each item as one block, set Block Order to From Input Items.';

/** Reorder blocks in a page (docs/api.md, section 4.2). */
export const reorderBlocks: Operation = {
	option: {
		name: 'Reorder Blocks',
		value: 'reorder',
		description: 'Set the order of all blocks on a page',
		action: 'Reorder or rotate blocks on page',
	},
	fields: Object.values(reorderFields),
	options: [includePageId],
	plan: (items) => {
		// It takes no expressions. One that is unknown is that of the editor.
		const blockOrder = items[0]?.value(reorderFields.blockOrder.shown);
		if (blockOrder === 'inputItems') return planPages(items);
		return blockOrder === 'current' ? planEach(items, planCurrentOrder) : planGivenOrders(items, blockOrder);
	},
};

/** A page, and the order that is given for it. */
interface GivenOrder {
	readonly page: Page;
	/** The blocks, from top to bottom. */
	readonly given: readonly string[];
	/** The item of the page, with the other fields. */
	readonly item: Item;
	/** The items of blocks that have one of their own. */
	readonly itemsByBlock?: ReadonlyMap<string, Item>;
	/** What to do if the service rejects it. */
	readonly advice: string;
}

/** Define Below and From a Value: each item contains a whole order. */
function planGivenOrders(items: readonly Item[], blockOrder: unknown): PlannedCall[] {
	const field = blockOrder === 'value' ? reorderFields.blockIdsValue : reorderFields.blockIds;
	// Whether all items so far have a single block.
	let areSingle = items.length > 1;
	return planEach(items, (item) => {
		const page = readPage(item);
		const given = field.read(item);
		areSingle &&= given.length === 1;
		return planReorder({ page, given, item, advice: areSingle ? ONE_ORDER_PER_ITEM : LIST_EACH });
	});
}

/** From Input Items: each item contains a block, and the items of a page are its order. */
function planPages(items: readonly Item[]): PlannedCall[] {
	const pages = new Map<string | InvalidItem, Item[]>();
	for (const read of planEach(items, (item) => ({ item, id: readPage(item).id }))) {
		const page = isInvalid(read) ? read : read.id;
		const itsItems = pages.get(page) ?? [];
		pages.set(page, itsItems);
		if (!isInvalid(read)) itsItems.push(read.item);
	}
	return [...pages].map(([page, itsItems]) => (typeof page === 'string' ? planPage(itsItems) : page));
}

function planPage(items: readonly Item[]): PlannedCall {
	const itemsByBlock = new Map<string, Item>();
	const added = planEach(items, (item) => ({ blockId: addBlock(itemsByBlock, item) }));
	const invalid = added.find(isInvalid);
	if (invalid) return invalid;
	const given = [...itemsByBlock.keys()];
	const plan = (item: Item) => planReorder({ page: readPage(item), given, item, itemsByBlock, advice: LIST_EACH });
	// Its other fields are read from its first item: a page has one.
	const [call] = planEach(items.slice(0, 1), plan) as [PlannedCall];
	return { ...call, itemIndexes: items.map(({ index }) => index) as [number, ...number[]] };
}

/** Plans the call for a page. Throws Failed if another field of its item is invalid. */
function planReorder({ page, given, item, itemsByBlock, advice }: GivenOrder): Omit<Call, 'itemIndexes'> {
	const { arrange, positions } = readArrangement(item);
	const blockIds = arrange(given);
	const info = positions === undefined ? [] : [describeRotation(item, page, given, positions)];
	const output = readOutput(item, page);
	const toItems = (block: IDataObject) => output(block, itemsByBlock?.get(asText(block.id)));
	const parse = (envelope: IDataObject) => parseOrder(envelope, page, blockIds, toItems, info);
	return { key: page.id, ...sending(orderRequest(page, blockIds, advice), parse) };
}

/**
 * Adds the block of an input item to `itemsByBlock`, which maps the blocks of a page to their items, and returns its ID.
 * Throws Failed if the path or the ID is invalid, or the page already has the block.
 */
export function addBlock(itemsByBlock: Map<string, Item>, item: Item): string {
	const { json, index } = item;
	const field = reorderFields.blockIdField.shown.displayName;
	const path = reorderFields.blockIdField.read(item);
	// A field with dots in its own name wins over a path.
	const value = followPath(json, Object.hasOwn(json, path) ? [path] : parsePath(path));
	if (value === undefined) {
		const advice = 'Enter the name of the field that contains the block ID, such as id, not the ID itself.';
		throw invalidField(field, `item ${index} has no field "${shorten(path)}"`, advice);
	}
	const what = `"${shorten(path)}" of item ${index}`;
	const blockId = readText(value, field, 'Every input item needs a block ID.', what);
	const earlier = itemsByBlock.get(blockId);
	if (earlier) {
		const problem = `block "${shorten(blockId)}" occurs twice on its page, in items ${earlier.index} and ${index}`;
		throw invalidField(field, problem, 'Include each block of a page in one input item.');
	}
	itemsByBlock.set(blockId, item);
	return blockId;
}
