import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { type CountField, countField, readCount } from '../fields/readers';
import { asObject } from '../shared/values';
import type { WaitOptions } from '../transport/tokenSource';

export interface SendOptions extends WaitOptions {
	readonly batchSize: number;
	readonly batchInterval: number;
}

/** Longer times, in milliseconds, are typing errors. */
const ONE_DAY = 24 * 60 * 60 * 1000;

const batchSize = countField({
	displayName: 'Items per Batch',
	name: 'batchSize',
	typeOptions: { minValue: 1 },
	default: 10,
	description: 'Maximum number of concurrent requests',
});

const batchInterval = countField({
	displayName: 'Batch Interval (ms)',
	name: 'batchInterval',
	typeOptions: { minValue: 0, maxValue: ONE_DAY },
	default: 0,
	description: 'Time (in milliseconds) between each batch of requests. 0 for disabled.',
});

const maxRetries = countField({
	displayName: 'Max Retries',
	name: 'maxRetries',
	typeOptions: { minValue: 0, maxValue: 10 },
	default: 2,
	description:
		'How often to resend a request when the service is busy, does not respond, or closes the connection. 0 for disabled.',
});

const timeout = countField({
	displayName: 'Timeout',
	name: 'timeout',
	typeOptions: { minValue: 1, maxValue: ONE_DAY },
	default: 30_000,
	description: 'Time (in milliseconds) that the service may take for a whole response',
});

/** The options of every operation, as in n8n's HTTP Request node. */
export const optionsField: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Batching',
			name: 'batching',
			placeholder: 'Add Batching',
			type: 'fixedCollection',
			typeOptions: { multipleValues: false },
			default: { batch: {} },
			options: [{ displayName: 'Batching', name: 'batch', values: [batchSize, batchInterval] }],
		},
		maxRetries,
		timeout,
	],
};

/** Reads the options of the first item, which apply to all. Throws ValidationError if one is invalid. */
export function readOptions(context: IExecuteFunctions): SendOptions {
	const options = asObject(context.getNodeParameter('options', 0, {}));
	const batch = asObject(asObject(options.batching).batch);
	// n8n stores only the options that were added.
	const read = (value: unknown, field: CountField) => readCount(value ?? field.default, field);
	return {
		batchSize: read(batch.batchSize, batchSize),
		batchInterval: read(batch.batchInterval, batchInterval),
		timeout: read(options.timeout, timeout),
		maxRetries: read(options.maxRetries, maxRetries),
	};
}
