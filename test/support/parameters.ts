import type { INodeParameters } from 'n8n-workflow';

export const GET_INFO = { resource: 'me', operation: 'getInfo' };

/** The Batching option. */
export const batching = (batchSize: number, batchInterval = 0): INodeParameters => ({
	batching: { batch: { batchSize, batchInterval } },
});

/** Reorder Blocks for each item, with the page and the order from its fields `page` and `ids`. */
export const REORDER_EACH_ITEM: INodeParameters = {
	resource: 'blocks',
	operation: 'reorder',
	pageId: '={{ $json.page }}',
	blockOrder: 'value',
	blockIdsValue: '={{ $json.ids }}',
};
