import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { type CountField, countField, readCount } from './fields/readCount';

/** How the requests of an execution are sent. */
export interface SendOptions {
	/** How many requests may be under way at once. */
	readonly batchSize: number;
	/** How long to wait after each such number of requests, in milliseconds. */
	readonly batchInterval: number;
	/** How long an answer may take, in milliseconds. */
	readonly timeout: number;
	/** How often a request is sent again after a failure that may pass. */
	readonly maxRetries: number;
}

/** Longer times than this many milliseconds are typing errors, and too long for a timer. */
const ONE_DAY = 24 * 60 * 60 * 1000;

const batchSize = countField({
	displayName: 'Items per Batch',
	name: 'batchSize',
	typeOptions: { minValue: 1 },
	default: 10,
	description: 'How many requests are under way together',
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
		'How often to send a request again when the service is busy, does not answer, or breaks the connection. 0 for disabled.',
});

const timeout = countField({
	displayName: 'Timeout',
	name: 'timeout',
	typeOptions: { minValue: 1, maxValue: ONE_DAY },
	default: 30_000,
	description: 'Time (in milliseconds) that the service may take for a whole answer',
});

/** The options of every operation, in the words and the shape of n8n's HTTP Request node. */
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

/** What the editor stores; expressions may put anything in place of a number. */
interface StoredOptions {
	batching?: { batch?: { batchSize?: unknown; batchInterval?: unknown } };
	maxRetries?: unknown;
	timeout?: unknown;
}

/**
 * Reads the options, which are those of the first item for all.
 *
 * @throws FieldError if one is not a whole number within its bounds
 */
export function readOptions(context: IExecuteFunctions): SendOptions {
	const stored = context.getNodeParameter('options', 0, {}) as StoredOptions;
	const batch = stored.batching?.batch ?? {};
	return {
		batchSize: readOption(batch.batchSize, batchSize),
		batchInterval: readOption(batch.batchInterval, batchInterval),
		timeout: readOption(stored.timeout, timeout),
		maxRetries: readOption(stored.maxRetries, maxRetries),
	};
}

/** n8n stores only the options that were added. */
function readOption(value: unknown, field: CountField): number {
	return readCount(value ?? field.default, field);
}
