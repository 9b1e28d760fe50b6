import type { IDataObject } from 'n8n-workflow';

import { type InvalidItem, isInvalid, type Item, planEach } from '../../item/item';
import { asText } from '../../shared/values';
import { type Call, type Operation, type PlannedCall, sending } from '../operation';
import { type Page, readPage } from '../pages/pageField';
import { arrangements } from './arrangement';
import { addBlock, readBlockIds } from './blockIds';
import { planCurrentOrder } from './currentOrder';
import { includePageId, orderRequest, readOrder, readOutput } from './order';
import { reorderFields } from './reorderFields';
import { describeRotation } from './rotation';

const LIST_ALL = 'List every block on the page, from top to bottom.';
const LIST_EACH = 'List every block on the page, each exactly once, and check the Page.';
const ONE_ORDER_PER_ITEM =
	'Check the Page. Each input item sends an order of its own, and this one has a single block: to use each item as one block, set Block Order to From Input Items.';

/** Reorder blocks in a page (docs/api.md, section 4.2). */
export const reorderBlocks: Operation = {
	option: {
		name: 'Reorder Blocks',
		value: 'reorder',
		description: 'Set the order of all blocks on a page',
		action: 'Reorder blocks on page',
	},
	fields: Object.values(reorderFields),
	options: [includePageId],
	plan: (items) => {
		const blockOrder = items[0]?.value(reorderFields.blockOrder);
		if (blockOrder === 'inputItems') return planPages(items);
		return blockOrder === 'current' ? planEach(items, planCurrentOrder) : planLists(items, blockOrder);
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
function planLists(items: readonly Item[], blockOrder: unknown): PlannedCall[] {
	const field = blockOrder === 'value' ? reorderFields.blockIdsValue : reorderFields.blockIds;
	// Whether all items so far have a single block.
	let areSingle = items.length > 1;
	return planEach(items, (item) => {
		const page = readPage(item);
		const given = readBlockIds(item.value(field), field, LIST_ALL);
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
	const arrange = item.choice(reorderFields.arrangement, arrangements);
	const blockIds = arrange(given, item);
	const info = arrange === arrangements.rotate ? [describeRotation(item, page, given, blockIds)] : undefined;
	const output = readOutput(item, page);
	const toItems = (block: IDataObject) => output(block, itemsByBlock?.get(asText(block.id)));
	const read = (envelope: IDataObject) => readOrder(envelope, page, blockIds, toItems, info);
	return { key: page.id, ...sending(orderRequest(page, blockIds, advice), read) };
}
