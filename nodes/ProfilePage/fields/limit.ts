import { booleanField, integerField } from './field';
import type { Item } from './item';

const returnAll = booleanField('Return All', 'returnAll', {
	default: false,
	description: 'Whether to return all results or only up to a given limit',
});

const limit = integerField('Limit', 'limit', {
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
	displayOptions: { show: { returnAll: [false] } },
});

export const limitFields = [returnAll, limit] as const;

/** Returns how many results to return, Infinity for all. Throws Failure if the limit is invalid. */
export function readLimit(item: Item): number {
	return returnAll.read(item) ? Infinity : limit.read(item);
}
