import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { flagOption } from '../../fields/field';
import type { Item } from '../../fields/item';
import { unreadable } from '../../service/reasons';
import type { ServiceRequest } from '../../service/request';
import type { Parse } from '../../service/response';
import type { Purpose } from '../../shared/failure';
import { asObject, asObjects, asText } from '../../shared/values';
import type { CallResult } from '../operation';
import type { Page } from '../pages/pageField';

export const includePageId = flagOption(
	'Include Page ID',
	'includePageId',
	'Whether to add the ID of its page to each block, as page_id, which tells the rows of several pages apart',
);

/** What an order of a page is for. */
export function reorderingOf(page: Page): Omit<Purpose, 'repeat'> {
	return { method: 'POST', subject: `the blocks of ${page.label}`, effect: ['were', 'reordered'] };
}

/** Returns what to add to each block: the ID of its page, if Include Page ID is on. Throws Failure if that option is invalid. */
export function readPageColumn(item: Item, page: Page): IDataObject {
	return includePageId.read(item) ? { page_id: page.id } : {};
}

interface Order {
	readonly page: Page;
	readonly blockIds: readonly string[];
	/** What to do if the service rejects it. */
	readonly advice: string;
	/** Returns the output for a block of the response. */
	readonly toItems: (block: IDataObject) => INodeExecutionData[];
	/** What to say if the blocks are as sent. */
	readonly note?: string;
}

/** Returns the request for an order, and how to read its response: Reorder blocks in a page (docs/api.md, section 4.2). */
export function orderRequest(order: Order): [request: ServiceRequest, parse: Parse<CallResult>] {
	const { page, blockIds, advice } = order;
	const blocks = blockIds.map((id, position) => ({ id, position }));
	const request: ServiceRequest = {
		...reorderingOf(page),
		path: '/oauth/v1/page/blocks/sort',
		form: [
			['page_id', page.id],
			['blocks', blocks],
		],
		confirms: (envelope) => isInOrder(blocksIn(envelope) ?? [], blockIds),
		repeat: 'always',
		advice,
	};
	return [request, (envelope) => toResult(envelope, order)];
}

function toResult(envelope: IDataObject, { page, blockIds, toItems, note }: Order): CallResult {
	const blocks = blocksIn(envelope);
	if (!blocks) {
		const problem = 'the response contains no list of blocks (data.blocks)';
		throw unreadable(problem, 'Check the order of the page, and the Base URL in the credential.');
	}
	const items = blocks.flatMap(toItems);
	if (isInOrder(blocks, blockIds)) return { items, notes: note ? [note] : [] };
	const warning = `The service accepted the order of ${page.label}, but returned other blocks or another order. Check the page, and make sure that no other workflow changes it.`;
	return { items, warnings: [warning] };
}

function blocksIn(envelope: IDataObject): IDataObject[] | undefined {
	return asObjects(asObject(envelope.data).blocks);
}

/** Whether the IDs of blocks are these, in this order. Blocks are in the order of their positions, or else of the list. */
function isInOrder(blocks: readonly IDataObject[], blockIds: readonly string[]): boolean {
	// Compared first: to sort many blocks takes long.
	if (blocks.length !== blockIds.length) return false;
	const positionOf = ({ position }: IDataObject) => Number(asText(position) || NaN);
	const ordered = blocks.toSorted((a, b) => positionOf(a) - positionOf(b));
	return ordered.every(({ id }, index) => asText(id) === blockIds[index]);
}
