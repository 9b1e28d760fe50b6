import { anyField } from '../../fields/field';
import { type InvalidItem, isInvalid, type Item, planEach } from '../../fields/item';
import { shorten } from '../../fields/readers';
import { done, failed, type ServiceRequest } from '../../service/types';
import { asObject, asObjects, asText } from '../../shared/values';
import { type Call, type Operation, type PlannedCall, sending } from '../operation';
import { flagOption } from '../options';
import { arrangements } from './arrangement';
import { addBlock, readBlockIds } from './blockIds';
import { reorderFields } from './reorderFields';
import { describeRotation } from './rotation';

const ENTER_PAGE_ID = 'Enter the ID of the page.';
const LIST_ALL = 'List every block on the page, from top to bottom.';
const LIST_EACH = 'List every block on the page, each exactly once, and check the Page ID.';
const ONE_ORDER_PER_ITEM =
	'Check the Page ID. Each input item sends an order of its own, and this one has a single block: to use each item as one block, set Block Order to From Input Items.';

const includePageId = flagOption({
	displayName: 'Include Page ID',
	name: 'includePageId',
	description: 'Whether to add the ID of its page to each block, as page_id',
});

/** Reorder blocks in a page (docs/api.md, section 4.2). */
export const reorderBlocks: Operation = {
	option: {
		name: 'Reorder Blocks',
		value: 'reorder',
		description: 'Set the order of all blocks on a page',
		action: 'Reorder blocks on page',
	},
	fields: Object.values(reorderFields).map(anyField),
	options: [includePageId],
	plan: (items) => {
		const blockOrder = items[0]?.value(reorderFields.blockOrder);
		return blockOrder === 'inputItems' ? planPages(items) : planLists(items, blockOrder);
	},
};

/** A page, and the order that is given for it. */
interface GivenOrder {
	readonly pageId: string;
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
		const pageId = item.text(reorderFields.pageId, ENTER_PAGE_ID);
		const given = readBlockIds(item.value(field), field, LIST_ALL);
		areSingle &&= given.length === 1;
		return planReorder({ pageId, given, item, advice: areSingle ? ONE_ORDER_PER_ITEM : LIST_EACH });
	});
}

/** From Input Items: each item contains a block, and the items of a page are its order. */
function planPages(items: readonly Item[]): PlannedCall[] {
	const readPage = (item: Item) => ({ item, pageId: item.text(reorderFields.pageId, ENTER_PAGE_ID) });
	const pages = new Map<string | InvalidItem, Item[]>();
	for (const read of planEach(items, readPage)) {
		const page = isInvalid(read) ? read : read.pageId;
		const itsItems = pages.get(page) ?? [];
		pages.set(page, itsItems);
		if (!isInvalid(read)) itsItems.push(read.item);
	}
	return [...pages].map(([page, itsItems]) => (typeof page === 'string' ? planPage(page, itsItems) : page));
}

function planPage(pageId: string, items: readonly Item[]): PlannedCall {
	const itemsByBlock = new Map<string, Item>();
	const added = planEach(items, (item) => ({ blockId: addBlock(itemsByBlock, item) }));
	const invalid = added.find(isInvalid);
	if (invalid) return invalid;
	const given = [...itemsByBlock.keys()];
	const plan = (item: Item) => planReorder({ pageId, given, item, itemsByBlock, advice: LIST_EACH });
	// Its other fields are read from its first item: a page has one.
	const [call] = planEach(items.slice(0, 1), plan) as [PlannedCall];
	return { ...call, itemIndexes: items.map(({ index }) => index) as [number, ...number[]] };
}

/** Plans the call for a page. Throws Failed if another field of its item is invalid. */
function planReorder({ pageId, given, item, itemsByBlock, advice }: GivenOrder): Omit<Call, 'itemIndexes'> {
	const arrange = item.choice(reorderFields.arrangement, arrangements);
	const blockIds = arrange(given, item);
	const info = arrange === arrangements.rotate ? [describeRotation(item, pageId, given, blockIds)] : undefined;
	const extra = includePageId.read(item) ? { page_id: pageId } : {};
	const blocks = blockIds.map((id, position) => ({ id, position }));
	const page = `page "${shorten(pageId)}"`;
	const request: ServiceRequest = {
		method: 'POST',
		path: '/oauth/v1/page/blocks/sort',
		form: { page_id: pageId, blocks: JSON.stringify(blocks) },
		idempotent: true,
		subject: `the blocks of ${page}`,
		effect: ['were', 'reordered'],
		advice,
	};
	return {
		key: pageId,
		...sending(request, (envelope) => {
			const returned = asObjects(asObject(envelope.data).blocks);
			if (!returned) {
				const problem = 'the response contains no list of blocks (data.blocks)';
				return failed(problem, 'Check the order of the page, and the Base URL in the credential.');
			}
			const items = returned.flatMap((block) => {
				const itsItem = itemsByBlock?.get(asText(block.id)) ?? item;
				return itsItem.output([{ ...block, ...extra }]);
			});
			// Blocks may be returned in any order: their positions count. Without any, it is the order of the list.
			const order = returned.toSorted((a, b) => Number(a.position ?? NaN) - Number(b.position ?? NaN));
			const isAsSent = JSON.stringify(order.map(({ id }) => asText(id))) === JSON.stringify(blockIds);
			if (isAsSent) return done({ items, info }, true);
			const warning = `The service accepted the order of ${page}, but returned other blocks or another order. Check the page, and make sure that no other workflow changes it.`;
			return done({ items, warnings: [warning] });
		}),
	};
}
