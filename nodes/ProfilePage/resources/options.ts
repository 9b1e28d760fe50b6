import type { INodeProperties } from 'n8n-workflow';

import { Field, flagOption, integerField } from '../fields/field';
import { type Item, optionsShown } from '../fields/item';
import type { GateOptions } from '../service/gate';
import type { RetryOptions } from '../service/retrying';
import { invalid } from '../shared/failure';

/** How requests are sent, as set in the options of the node. Up to `batchSize` requests are in flight at a time. */
export type NodeOptions = Required<
	Pick<GateOptions, 'batchSize' | 'batchInterval'> & Pick<RetryOptions, 'maxRetries'>
> & {
	readonly timeout: number;
	readonly isPreview: boolean;
};

/** Longer times, in milliseconds, are typing errors. */
const ONE_DAY = 24 * 60 * 60 * 1000;

const batchSize = integerField('Items per Batch', 'batchSize', {
	typeOptions: { minValue: 1 },
	default: 50,
	description:
		'Maximum number of concurrent requests. The node begins with 10, and finds out how many the service accepts.',
});

const batchInterval = integerField('Batch Interval (ms)', 'batchInterval', {
	typeOptions: { minValue: 0, maxValue: ONE_DAY },
	default: 0,
	description: 'Time (in milliseconds) between each batch of requests. 0 for disabled.',
});

const maxRetries = integerField('Max Retries', 'maxRetries', {
	typeOptions: { minValue: 0, maxValue: 10 },
	default: 2,
	description:
		'How many times to resend a request after a transient failure, such as a timeout, a broken connection, or a busy service. 0 for disabled.',
});

const timeout = integerField('Timeout (ms)', 'timeout', {
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
	options: [{ displayName: 'Batching', name: 'batch', values: [batchSize.shown, batchInterval.shown] }],
};

const commonOptions = {
	batchSize: batchSize.asOption('batching', 'batch'),
	batchInterval: batchInterval.asOption('batching', 'batch'),
	timeout: timeout.asOption(),
	maxRetries: maxRetries.asOption(),
};

const noPreview = flagOption(
	'Preview',
	'preview',
	'Whether to show what would happen, and change nothing: the node reads what it needs, and returns what it would send',
);

/** An option of operations that change something. In the editor, it is on as soon as it is added. */
export const preview = new Field({ ...noPreview.shown, default: true }, noPreview.parse, (item) =>
	item.option(noPreview.shown),
);

/** Returns what the editor shows of the options of every operation, with those of one operation. */
export function optionsField(ofOperation: ReadonlyArray<Field<unknown>> = []): INodeProperties {
	const options = [batching, maxRetries.shown, timeout.shown, ...ofOperation.map(({ shown }) => shown)];
	options.sort((a, b) => a.displayName.localeCompare(b.displayName));
	return { ...optionsShown, placeholder: 'Add option', options };
}

/** Reads the options of every operation, which apply to all items. Throws Failure if one is invalid. */
export function readOptions(items: readonly [Item, ...Item[]]): NodeOptions {
	const [item] = items;
	const isPreview = item.ownOption(preview.shown);
	if (items.some((each) => each.ownOption(preview.shown) !== isPreview)) {
		throw invalid(
			preview.shown.displayName,
			'its expression gives different values for the items',
			'Use the same value for all items.',
		);
	}
	return {
		batchSize: commonOptions.batchSize.read(item),
		batchInterval: commonOptions.batchInterval.read(item),
		timeout: commonOptions.timeout.read(item),
		maxRetries: commonOptions.maxRetries.read(item),
		isPreview: preview.read(item),
	};
}
