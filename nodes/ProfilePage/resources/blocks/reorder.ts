import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { flagField, flagReader } from '../../fields/flag';
import { finishedReader, parameterReader } from '../../fields/parameterReader';
import { readText, shorten } from '../../fields/readers';
import {
	type Call,
	type InvalidItem,
	type Operation,
	orInvalid,
	pairWith,
	planEachItem,
	type PlannedCall,
} from '../../operation';
import { asObject, asObjects, asText } from '../../shared/values';
import { arrangementReader } from './arrangement';
import { addBlock, FLATTEN_LIST, readBlockIds } from './blockIds';
import { reorderFields } from './reorderFields';

const USE_FROM_A_VALUE = 'To use a list from an expression, set Block Order to From a Value.';
const LIST_ALL = 'List every block on the page, from top to bottom.';

const LIST_EACH = 'List every block on the page, each exactly once, and check the Page ID.';
const ONE_ORDER_PER_ITEM =
	'Check the Page ID. Each input item sends an order of its own, and this one has a single block: to use each item as one block, set Block Order to From Input Items.';

const includePageId = flagField({
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
		action: 'Reorder all blocks on a page',
	},
	fields: Object.values(reorderFields),
	options: [includePageId],
	plan: (context) => {
		const blockOrder = context.getNodeParameter('blockOrder', 0, 'list');
		if (blockOrder === 'inputItems') return planPages(context);
		return blockOrder === 'value'
			? planLists(context, reorderFields.blockIdsValue, FLATTEN_LIST)
			: planLists(context, reorderFields.blockIds, USE_FROM_A_VALUE);
	},
};

/** Define Below and From a Value: each item contains a whole order. */
function planLists(
	context: IExecuteFunctions,
	field: INodeProperties,
	ifNested: string,
): PlannedCall[] {
	const readPageId = pageIdReader(context);
	const readOrder = finishedReader(context, field);
	const plan = reorderPlanner(context);
	const list = { field: field.displayName, ifEmpty: LIST_ALL, ifNested };
	// Whether all items so far have a single block.
	let areSingle = context.getInputData().length > 1;
	return planEachItem(context, (itemIndex) => {
		const pageId = readPageId(itemIndex);
		const blockIds = readBlockIds(readOrder(itemIndex), list);
		areSingle &&= blockIds.length === 1;
		const advice = areSingle ? ONE_ORDER_PER_ITEM : LIST_EACH;
		return plan({ pageId, blockIds, itemIndex, itemOf: () => itemIndex, advice });
	});
}

/** From Input Items: each item contains a block, and the items of a page are its order. */
function planPages(context: IExecuteFunctions): PlannedCall[] {
	const readPageId = pageIdReader(context);
	const readPath = parameterReader(context, reorderFields.blockIdField);
	const plan = reorderPlanner(context);
	const items = context.getInputData();
	const pages = new Map<string | InvalidItem, [number, ...number[]]>();
	for (const itemIndex of items.keys()) {
		const page = orInvalid(itemIndex, () => readPageId(itemIndex));
		const itemIndexes = pages.get(page);
		if (itemIndexes) itemIndexes.push(itemIndex);
		else pages.set(page, [itemIndex]);
	}
	return [...pages].map(([page, itemIndexes]) => {
		if (typeof page !== 'string') return page;
		const [firstItem] = itemIndexes;
		const itemsByBlock = new Map<string, number>();
		for (const itemIndex of itemIndexes) {
			const invalid = orInvalid(itemIndex, () =>
				addBlock(itemsByBlock, items[itemIndex]?.json ?? {}, readPath(itemIndex), itemIndex),
			);
			if (invalid) return invalid;
		}
		return orInvalid(firstItem, () => {
			const call = plan({
				pageId: page,
				blockIds: [...itemsByBlock.keys()],
				itemIndex: firstItem,
				itemOf: (blockId) => itemsByBlock.get(blockId) ?? firstItem,
				advice: LIST_EACH,
			});
			return { itemIndexes, ...call };
		});
	});
}

function pageIdReader(context: IExecuteFunctions): (itemIndex: number) => string {
	const read = parameterReader(context, reorderFields.pageId);
	return (itemIndex) =>
		readText(read(itemIndex), reorderFields.pageId.displayName, 'Enter the ID of the page.');
}

/** A page, and the order that is given for it. */
interface GivenOrder {
	readonly pageId: string;
	/** From top to bottom. */
	readonly blockIds: readonly string[];
	/** The input item with the other fields. */
	readonly itemIndex: number;
	/** Returns the input item of a block, or of the page if there is none. */
	readonly itemOf: (blockId: string) => number;
	/** What to do if the service rejects it. */
	readonly advice: string;
}

/** Returns a function that arranges a given order and plans its call. It throws ValidationError if a field is invalid. */
function reorderPlanner(
	context: IExecuteFunctions,
): (given: GivenOrder) => Omit<Call, 'itemIndexes'> {
	const readArrangement = arrangementReader(context);
	const readIncludePageId = flagReader(context, includePageId);
	return (given) => {
		const blockIds = readArrangement(given.itemIndex)(given.blockIds);
		return planReorder({ ...given, blockIds }, readIncludePageId());
	};
}

function planReorder(
	{ pageId, blockIds, itemOf, advice }: GivenOrder,
	isIncluded: boolean,
): Omit<Call, 'itemIndexes'> {
	const blocks = blockIds.map((id, position) => ({ id, position }));
	return {
		concurrencyKey: pageId,
		request: {
			method: 'POST',
			path: '/oauth/v1/page/blocks/sort',
			form: { page_id: pageId, blocks: JSON.stringify(blocks) },
			documentedBy: 'contract',
			idempotent: true,
			subject: `The blocks of page "${shorten(pageId)}"`,
			outcome: 'were reordered',
			advice,
		},
		read: ({ data }) => {
			const returned = asObjects(asObject(data).blocks);
			if (!returned) {
				const problem = 'the response contains no list of blocks (data.blocks)';
				const advice = 'Check the order of the page, and the Base URL in the credential.';
				return { problem, advice };
			}
			const ids = returned.map(({ id }) => asText(id));
			const items = returned.flatMap((block, index) =>
				pairWith(itemOf(ids[index] ?? ''), [isIncluded ? { ...block, page_id: pageId } : block]),
			);
			// Blocks may be returned in any order: their positions count. Without any, it is the order of the list.
			const order = returned
				.toSorted((a, b) => positionOf(a) - positionOf(b))
				.map(({ id }) => asText(id));
			const isAsSent = JSON.stringify(order) === JSON.stringify(blockIds);
			const warning = `The service accepted the order of page "${shorten(pageId)}", but returned other blocks or another order. Check the page, and make sure that no other workflow changes it.`;
			return { items, isConfirmed: true, ...(!isAsSent && { warnings: [warning] }) };
		},
	};
}

function positionOf({ position }: IDataObject): number {
	return typeof position === 'object' ? Number.NaN : Number(position);
}
