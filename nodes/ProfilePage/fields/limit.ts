import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { fieldReader } from './fieldReader';
import { readBoolean } from './readBoolean';
import { countField, readCount } from './readCount';

const returnAll: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

const limit = countField({
	displayName: 'Limit',
	name: 'limit',
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
	displayOptions: { show: { returnAll: [false] } },
});

/** The fields of an operation that puts out a list, or its beginning. */
export const limitFields: readonly INodeProperties[] = [returnAll, limit];

/**
 * Prepares to read those fields for many items.
 *
 * @returns a function that gives how many results to put out for an item, Infinity for all of them; it
 *   throws a FieldError if that can't be read
 */
export function limitReader(context: IExecuteFunctions): (itemIndex: number) => number {
	const readAll = fieldReader(context, returnAll.name, returnAll.default);
	const readLimit = fieldReader(context, limit.name, limit.default);
	return (itemIndex) =>
		readBoolean(readAll(itemIndex), returnAll.displayName)
			? Infinity
			: readCount(readLimit(itemIndex), limit);
}
