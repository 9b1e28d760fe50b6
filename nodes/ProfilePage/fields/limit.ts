import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { parameterReader } from './parameterReader';
import { integerField, readBoolean, readInteger } from './readers';

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

/** Returns a reader of the limit, Infinity for all results. It throws ValidationError if it is invalid. */
export function limitReader(context: IExecuteFunctions): (itemIndex: number) => number {
	const readAll = parameterReader(context, returnAll);
	const readLimit = parameterReader(context, limit);
	return (itemIndex) =>
		readBoolean(readAll(itemIndex), returnAll.displayName)
			? Infinity
			: readInteger(readLimit(itemIndex), limit);
}
