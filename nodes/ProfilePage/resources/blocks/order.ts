import type { IDataObject } from 'n8n-workflow';

import { unreadable } from '../../service/reasons';
import type { ServiceRequest } from '../../service/request';
import type { Purpose } from '../../shared/failure';
import { asObject, asObjects, asText } from '../../shared/values';
import type { Page } from '../pages/pageField';

/** What an order of a page is for. */
export function reorderingOf({ label }: Pick<Page, 'label'>): Omit<Purpose, 'repeat'> {
	return { method: 'POST', subject: `the blocks of ${label}`, effect: ['were', 'reordered'] };
}

/**
 * Returns the request for an order, which reads the blocks of the response: Reorder blocks in a page (docs/api.md, section
 * 4.2).
 *
 * @param advice what to do if the service rejects it
 */
export function orderRequest(page: Page, blockIds: readonly string[], advice: string): ServiceRequest<IDataObject[]> {
	const blocks = blockIds.map((id, position) => ({ id, position }));
	return {
		...reorderingOf(page),
		path: '/oauth/v1/page/blocks/sort',
		form: [
			['page_id', page.id],
			['blocks', blocks],
		],
		confirms: (envelope) => isInOrder(findBlocks(envelope) ?? [], blockIds),
		read: readOrder,
		repeat: 'always',
		advice,
	};
}

function findBlocks({ data }: IDataObject): IDataObject[] | undefined {
	return asObjects(asObject(data).blocks);
}

function readOrder(envelope: IDataObject): IDataObject[] {
	const blocks = findBlocks(envelope);
	if (blocks) return blocks;
	const problem = 'the response contains no list of blocks (data.blocks)';
	throw unreadable(problem, 'Check the order of the page, and the Base URL in the credential.');
}

/** Returns a warning if the blocks of a response are not in the order that was sent. */
export function warnOfOrder(page: Page, blockIds: readonly string[], blocks: readonly IDataObject[]): string[] {
	if (isInOrder(blocks, blockIds)) return [];
	return [
		`The service accepted the order of ${page.label}, but returned other blocks or another order. Check the page, and make sure that no other workflow changes it.`,
	];
}

/** Whether the IDs of blocks are these, in this order. Blocks are in the order of their positions, or else of the list. */
function isInOrder(blocks: readonly IDataObject[], blockIds: readonly string[]): boolean {
	// Compared first: to sort many blocks takes long.
	if (blocks.length !== blockIds.length) return false;
	const positionOf = ({ position }: IDataObject) => Number(asText(position) || NaN);
	const ordered = blocks.toSorted((a, b) => positionOf(a) - positionOf(b));
	return ordered.every(({ id }, index) => asText(id) === blockIds[index]);
}
