import type { INodeProperties } from 'n8n-workflow';

import type { Item } from './item';
import { integerField } from './readers';

const returnAll: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

const limit = integerField({
	displayName: 'Limit',
	name: 'limit',
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
	displayOptions: { show: { returnAll: [false] } },
});

export const limitFields = [returnAll, limit] as const;

/** Returns how many results to return, Infinity for all. Throws Failed if the limit is invalid. */
export function readLimit(item: Item): number {
	return item.boolean(returnAll) ? Infinity : item.integer(limit);
}
