import type { INodeProperties } from 'n8n-workflow';

import { booleanField, integerField, optionsShown } from '../fields/field';
import type { Inputs } from './operation';

/** How requests are sent, as set in the options of the node. Times are in milliseconds. */
export interface NodeOptions {
	/** The maximum number of concurrent requests. */
	readonly concurrency: number;
	readonly timeout: number;
	readonly maxRetries: number;
	readonly isPreview: boolean;
}

/** Longer times, in milliseconds, are typing errors. */
const ONE_DAY = 24 * 60 * 60 * 1000;

const concurrency = integerField('Items per Batch', 'batchSize', {
	typeOptions: { minValue: 1 },
	default: 50,
	description:
		'Maximum number of concurrent requests. The node begins with 10, and finds out how many the service accepts.',
}).asOption();

const maxRetries = integerField('Max Retries', 'maxRetries', {
	typeOptions: { minValue: 0, maxValue: 10 },
	default: 2,
	description:
		'How many times to resend a request after a transient failure, such as a timeout, a broken connection, or a busy service. 0 for disabled.',
}).asOption();

const timeout = integerField('Timeout (ms)', 'timeout', {
	typeOptions: { minValue: 1, maxValue: ONE_DAY },
	default: 30_000,
	description: 'Time (in milliseconds) that the service may take for a whole response',
}).asOption();

const preview = booleanField('Preview', 'preview', {
	noDataExpression: true,
	default: false,
	description: 'Whether to show what would happen, and change nothing',
});

/** Returns what the editor shows below the fields of an operation. */
export function commonFields(hasPreview = false): INodeProperties[] {
	const shown = [concurrency, maxRetries, timeout].map((option) => option.shown);
	return [...(hasPreview ? [preview.shown] : []), { ...optionsShown, placeholder: 'Add option', options: shown }];
}

/** Reads what applies to all items. Throws Failure if it is invalid. */
export function readOptions(items: Inputs): NodeOptions {
	const [item] = items;
	return {
		concurrency: concurrency.read(item),
		timeout: timeout.read(item),
		maxRetries: maxRetries.read(item),
		// A workflow written by hand may have an expression: rather a preview too many than a change.
		isPreview: items.some((each) => preview.read(each)),
	};
}
