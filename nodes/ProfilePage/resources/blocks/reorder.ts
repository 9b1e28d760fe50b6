import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { type FieldReader, fieldReader } from '../../fields/fieldReader';
import { readText } from '../../fields/readText';
import { shorten } from '../../fields/shorten';
import {
	type Call,
	isRefusal,
	type Operation,
	orRefuse,
	planEachItem,
	type Refusal,
} from '../../operation';
import { asObjects, asText, isObject } from '../../transport/envelope';
import type { ServiceRequest } from '../../transport/serviceRequest';
import { readBlockOrder } from './blockOrder';
import { addItem, type PageOfItems } from './itemOrder';
import { buildReorderForm } from './reorderForm';

const fields: INodeProperties[] = [
	{
		displayName: 'Page ID',
		name: 'pageId',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. PAGE_home_65f1c0a2b3d4e',
		description: 'The ID of the page whose blocks to put in order',
	},
	{
		displayName: 'Block Order',
		name: 'blockOrder',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Define Below',
				value: 'list',
				description: 'List the block IDs here and move them into order',
			},
			{
				name: 'From a Value',
				value: 'value',
				description: 'Take the block IDs from a list or a text, such as an expression gives',
			},
			{
				name: 'From Input Items',
				value: 'inputItems',
				description: 'Take each input item as one block, in the order the items arrive',
			},
		],
		default: 'list',
		description: 'Where the order of the blocks comes from',
	},
	{
		displayName: 'Block IDs',
		name: 'blockIds',
		type: 'string',
		typeOptions: {
			multipleValues: true,
			multipleValueButtonText: 'Add Block ID',
			sortable: true,
		},
		default: [],
		placeholder: 'e.g. 65f1c0a2b3d4e5.12345678',
		description: 'The IDs of all blocks of the page, the top one first',
		displayOptions: { show: { blockOrder: ['list'] } },
	},
	{
		displayName: 'Block IDs',
		name: 'blockIdsValue',
		type: 'string',
		typeOptions: { rows: 4 },
		required: true,
		default: '',
		placeholder: 'e.g. {{ $json.blocks }}',
		description:
			'The IDs of all blocks of the page, the top one first: a JSON array, or IDs separated by commas or new lines. An expression may give a list of IDs, or of blocks with an ID.',
		displayOptions: { show: { blockOrder: ['value'] } },
	},
	{
		displayName: 'Block ID Field',
		name: 'blockIdField',
		type: 'string',
		requiresDataPath: 'single',
		required: true,
		default: 'id',
		placeholder: 'e.g. blockId',
		description:
			'The name of the field that holds the block ID in each input item. Use dots to reach a field inside another.',
		displayOptions: { show: { blockOrder: ['inputItems'] } },
	},
];

/** Reorder blocks in a page (the contract, section 4.1). */
export const reorder: Operation = {
	option: {
		name: 'Reorder Blocks',
		value: 'reorder',
		description: 'Set the order of all blocks on a page',
		action: 'Reorder all blocks on a page',
	},
	fields,
	plan: (context) => {
		const blockOrder = context.getNodeParameter('blockOrder', 0, 'list') as string;
		if (blockOrder === 'inputItems') return planPagesOfItems(context);
		return planEachItem(context, planWholeOrder(context, blockOrder));
	},
};

const USE_FROM_A_VALUE = 'Set Block Order to From a Value, and give the one list there.';
const FLATTEN_LIST =
	'Give one flat list of block IDs; in an expression, .flat() makes one of nested lists.';

/** Define Below and From a Value: each item brings a whole order. */
function planWholeOrder(
	context: IExecuteFunctions,
	blockOrder: string,
): (itemIndex: number) => Omit<Call, 'itemIndexes'> {
	const readPageId = pageIdReader(context);
	const isValue = blockOrder === 'value';
	const readOrder = fieldReader(context, isValue ? 'blockIdsValue' : 'blockIds', '');
	const nestedListAdvice = isValue ? FLATTEN_LIST : USE_FROM_A_VALUE;
	return (itemIndex) => {
		const pageId = readPageId(itemIndex);
		const blockIds = readBlockOrder(readOrder(itemIndex), 'Block IDs', nestedListAdvice);
		return planReorder(pageId, blockIds, () => itemIndex);
	};
}

/** From Input Items: each item brings one block, and the items of a page make its order. */
function planPagesOfItems(context: IExecuteFunctions): Array<Call | Refusal> {
	const readPath = fieldReader(context, 'blockIdField', 'id');
	return groupByPage(context).map((group) =>
		isRefusal(group) ? group : planPage(context.getInputData(), group, readPath),
	);
}

/** The items that name one page, in the order of the input. */
interface PageGroup {
	readonly pageId: string;
	readonly itemIndexes: [number, ...number[]];
}

/** @returns the pages in the order in which they first appear, and the items that name none */
function groupByPage(context: IExecuteFunctions): Array<PageGroup | Refusal> {
	const groups: Array<PageGroup | Refusal> = [];
	const pages = new Map<string, PageGroup>();
	const readPageId = pageIdReader(context);
	for (const itemIndex of context.getInputData().keys()) {
		const pageId = orRefuse(itemIndex, () => readPageId(itemIndex));
		if (typeof pageId !== 'string') {
			groups.push(pageId);
			continue;
		}
		const page = pages.get(pageId);
		if (page) {
			page.itemIndexes.push(itemIndex);
			continue;
		}
		const newPage: PageGroup = { pageId, itemIndexes: [itemIndex] };
		pages.set(pageId, newPage);
		groups.push(newPage);
	}
	return groups;
}

function planPage(
	items: readonly INodeExecutionData[],
	{ pageId, itemIndexes }: PageGroup,
	readPath: FieldReader,
): Call | Refusal {
	const page: PageOfItems = { pageId, itemsByBlock: new Map() };
	for (const itemIndex of itemIndexes) {
		const refusal = orRefuse(itemIndex, () =>
			addItem(page, items[itemIndex]?.json ?? {}, readPath(itemIndex), itemIndex),
		);
		if (refusal) return refusal;
	}
	const [firstItem] = itemIndexes;
	const itemOf = (blockId: string) => page.itemsByBlock.get(blockId) ?? firstItem;
	return { itemIndexes, ...planReorder(pageId, [...page.itemsByBlock.keys()], itemOf) };
}

/** @param itemOf finds the input item that a block comes from */
function planReorder(
	pageId: string,
	blockIds: readonly string[],
	itemOf: (blockId: string) => number,
): Omit<Call, 'itemIndexes'> {
	return {
		target: pageId,
		request: toRequest(pageId, blockIds),
		toItems: (envelope) => toItems(envelope, itemOf),
		findWarning: (envelope) =>
			isOrder(readBlocks(envelope) ?? [], blockIds)
				? undefined
				: `The service accepted the order of page "${shorten(pageId)}", but its answer has other blocks, or another order. Look at the page, and see that no other workflow changes it.`,
	};
}

function pageIdReader(context: IExecuteFunctions): (itemIndex: number) => string {
	const read = fieldReader(context, 'pageId', '');
	return (itemIndex) =>
		readText(read(itemIndex), { field: 'Page ID', advice: 'Enter the ID of the page.' });
}

const NO_BLOCKS =
	'the answer of the service contains no list of blocks (data.blocks). Look at the page to see its order, and check the Base URL in the credential.';

function toRequest(pageId: string, blockIds: readonly string[]): ServiceRequest {
	const page = shorten(pageId);
	return {
		method: 'POST',
		path: '/oauth/v1/page/blocks/sort',
		documentedBy: 'contract',
		form: buildReorderForm(pageId, blockIds),
		isIdempotent: true,
		failure: `The blocks of page "${page}" were not reordered`,
		unknownOutcome: `It is not known whether the blocks of page "${page}" were reordered`,
		badRequestAdvice:
			'List every block that is on the page now, each exactly once, and check the Page ID.',
		findMissing: (envelope) => (readBlocks(envelope) ? undefined : NO_BLOCKS),
		isConfirmedBy: (envelope) => readBlocks(envelope) !== undefined,
	};
}

/** @returns the blocks as the service sent them, in its order; undefined if it sent none */
function readBlocks({ data }: IDataObject): IDataObject[] | undefined {
	return isObject(data) ? asObjects(data.blocks) : undefined;
}

function toItems(envelope: IDataObject, itemOf: (blockId: string) => number): INodeExecutionData[] {
	return (readBlocks(envelope) ?? []).map((block) => ({
		json: block,
		pairedItem: { item: itemOf(asText(block.id)) },
	}));
}

/** Whether these are the blocks that were sent, in the order in which they were. */
function isOrder(blocks: readonly IDataObject[], blockIds: readonly string[]): boolean {
	return (
		blocks.length === blockIds.length &&
		blocks.every((block, index) => asText(block.id) === blockIds[index])
	);
}
