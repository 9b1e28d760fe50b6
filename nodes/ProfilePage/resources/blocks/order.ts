import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { flagOption } from '../../fields/field';
import type { Item } from '../../fields/item';
import type { ServiceRequest } from '../../service/request';
import type { Parse } from '../../service/response';
import { type Purpose, unreadable } from '../../shared/failure';
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

/** Reorder blocks in a page (docs/api.md, section 4.2). `advice` says what to do if the service rejects it. */
export function orderRequest(page: Page, blockIds: readonly string[], advice: string): ServiceRequest {
	const blocks = blockIds.map((id, position) => ({ id, position }));
	return {
		...reorderingOf(page),
		path: '/oauth/v1/page/blocks/sort',
		form: [
			['page_id', page.id],
			['blocks', blocks],
		],
		previewed: { data: { blocks } },
		confirms: (envelope) => isInOrder(blocksIn(envelope) ?? [], blockIds),
		repeat: 'always',
		advice,
	};
}

function blocksIn(envelope: IDataObject): IDataObject[] | undefined {
	return asObjects(asObject(envelope.data).blocks);
}

/** Returns what to add to each block: the ID of its page, if Include Page ID is on. Throws Failure if that option is invalid. */
export function readOfPage(item: Item, page: Page): IDataObject {
	return includePageId.read(item) ? { page_id: page.id } : {};
}

/** Returns how to read the response to an order. `notes` are what to say if the blocks are as sent. */
export function orderParser(
	page: Page,
	blockIds: readonly string[],
	toItems: (block: IDataObject) => INodeExecutionData[],
	notes: readonly string[] = [],
): Parse<CallResult> {
	return (envelope) => {
		const returned = blocksIn(envelope);
		if (!returned) {
			const problem = 'the response contains no list of blocks (data.blocks)';
			throw unreadable(problem, 'Check the order of the page, and the Base URL in the credential.');
		}
		const items = returned.flatMap(toItems);
		if (isInOrder(returned, blockIds)) return { items, notes };
		const warning = `The service accepted the order of ${page.label}, but returned other blocks or another order. Check the page, and make sure that no other workflow changes it.`;
		return { items, warnings: [warning] };
	};
}

/** Whether the IDs of blocks are these, in this order. Blocks are in the order of their positions, or else of the list. */
function isInOrder(blocks: readonly IDataObject[], blockIds: readonly string[]): boolean {
	// Compared first: to sort many blocks takes long.
	if (blocks.length !== blockIds.length) return false;
	const positionOf = ({ position }: IDataObject) => Number(asText(position) || NaN);
	const ordered = blocks.toSorted((a, b) => positionOf(a) - positionOf(b));
	return ordered.every(({ id }, index) => asText(id) === blockIds[index]);
}
