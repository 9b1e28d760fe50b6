import type { INodeParameters } from 'n8n-workflow';

export const GET_INFO = { resource: 'me', operation: 'getInfo' };

/** The option Items per Batch. */
export const batching = (batchSize: number): INodeParameters => ({ batchSize });

/** Reorder Blocks for each item, with the page and the order from its fields `page` and `ids`. */
export const REORDER_EACH_ITEM: INodeParameters = {
	resource: 'blocks',
	operation: 'reorder',
	pageId: '={{ $json.page }}',
	blockIds: '={{ $json.ids }}',
};
