import type { INodeProperties } from 'n8n-workflow';

import type { Item } from '../item/item';
import { integerField, readInteger } from '../item/readers';
import type { ClientOptions } from '../service/client';
import type { ScheduleOptions } from '../service/scheduler';

/** How requests are sent, as set in the options of the node. */
export type SendOptions = Pick<ClientOptions, 'timeout' | 'maxRetries'> & Omit<ScheduleOptions, 'signal'>;

/** Longer times, in milliseconds, are typing errors. */
const ONE_DAY = 24 * 60 * 60 * 1000;

const batchSize = integerField({
	displayName: 'Items per Batch',
	name: 'batchSize',
	typeOptions: { minValue: 1 },
	default: 10,
	description: 'Maximum number of concurrent requests',
});

const batchInterval = integerField({
	displayName: 'Batch Interval (ms)',
	name: 'batchInterval',
	typeOptions: { minValue: 0, maxValue: ONE_DAY },
	default: 0,
	description: 'Time (in milliseconds) between each batch of requests. 0 for disabled.',
});

const maxRetries = integerField({
	displayName: 'Max Retries',
	name: 'maxRetries',
	typeOptions: { minValue: 0, maxValue: 10 },
	default: 2,
	description:
		'How many times to resend a request after a transient failure, such as a timeout, a broken connection, or a busy service. 0 for disabled.',
});

const timeout = integerField({
	displayName: 'Timeout (ms)',
	name: 'timeout',
	typeOptions: { minValue: 1, maxValue: ONE_DAY },
	default: 30_000,
	description: 'Time (in milliseconds) that the service may take for a whole response',
});

const batching: INodeProperties = {
	displayName: 'Batching',
	name: 'batching',
	placeholder: 'Add Batching',
	type: 'fixedCollection',
	typeOptions: { multipleValues: false },
	default: { batch: {} },
	options: [{ displayName: 'Batching', name: 'batch', values: [batchSize, batchInterval] }],
};

/** Returns the options of every operation, as in n8n's HTTP Request node, with those of one operation. */
export function optionsField(ofOperation: readonly INodeProperties[] = []): INodeProperties {
	const options = [batching, maxRetries, timeout, ...ofOperation];
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: options.sort((a, b) => a.displayName.localeCompare(b.displayName)),
	};
}

/** Reads the options of every operation. Throws Failed if one is invalid. */
export function readOptions(item: Item): SendOptions {
	return {
		batchSize: readInteger(item.option(batchSize, ['batching', 'batch', 'batchSize']), batchSize),
		batchInterval: readInteger(item.option(batchInterval, ['batching', 'batch', 'batchInterval']), batchInterval),
		timeout: readInteger(item.option(timeout), timeout),
		maxRetries: readInteger(item.option(maxRetries), maxRetries),
	};
}

/** Returns an option that is off until users add it and turn it on. */
export function flagField(field: Pick<INodeProperties, 'displayName' | 'name' | 'description'>): INodeProperties {
	return { ...field, type: 'boolean', default: false };
}
