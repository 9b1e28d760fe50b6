/** Stubs for nodes of n8n-nodes-base, which is not installed: as much of each as the examples use. */
import { runInNewContext } from 'node:vm';

import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	NodeOperationError,
} from 'n8n-workflow';

import { describePlainNode, plainFields } from './plainNode';

/**
 * @param execute returns the output
 * @param defaults of the fields, by their names
 */
function stub(
	execute: (context: IExecuteFunctions) => INodeExecutionData[],
	defaults: Parameters<typeof plainFields>[0] = {},
): INodeType {
	return {
		description: describePlainNode('stub', { version: [1, 1.1, 2, 3, 3.4], properties: plainFields(defaults) }),
		execute() {
			return Promise.resolve([execute(this)]);
		},
	};
}

/** Returns its input. */
const plain = stub((context) => context.getInputData());

/** A node to start from. */
const start: INodeType = {
	...plain,
	description: { ...plain.description, group: ['trigger'], inputs: [] },
};

interface SortField {
	fieldName: string;
	order?: 'ascending' | 'descending';
}

/** Limited to fields with texts, numbers or booleans. Equal items keep their order, as in n8n's. */
const sort = stub(
	(context) => {
		const fields = context.getNodeParameter('sortFieldsUi.sortField', 0) as SortField[];
		return context.getInputData().toSorted((a, b) => compare(a.json, b.json, fields));
	},
	{ sortFieldsUi: {} },
);

function compare(a: IDataObject, b: IDataObject, [field, ...others]: SortField[]): number {
	if (!field) return 0;
	const valueOf = (json: IDataObject) => json[field.fieldName] as string | number | boolean;
	const order = Number(valueOf(a) > valueOf(b)) - Number(valueOf(a) < valueOf(b));
	return (field.order === 'descending' ? -order : order) || compare(a, b, others);
}

const limit = stub(
	(context) => {
		const maxItems = context.getNodeParameter('maxItems', 0) as number;
		const isFirst = context.getNodeParameter('keep', 0) === 'firstItems';
		return isFirst ? context.getInputData().slice(0, maxItems) : context.getInputData().slice(-maxItems);
	},
	{ maxItems: 1, keep: 'firstItems' },
);

/** Limited to one field that is a list of objects. */
const splitOut = stub(
	(context) => {
		const field = context.getNodeParameter('fieldToSplitOut', 0) as string;
		return context
			.getInputData()
			.flatMap(({ json }, item) =>
				(json[field] as IDataObject[]).map((entry) => ({ json: entry, pairedItem: { item } })),
			);
	},
	{ fieldToSplitOut: '' },
);

/** With a message. */
const stopAndError = stub(
	(context) => {
		throw new NodeOperationError(context.getNode(), context.getNodeParameter('errorMessage', 0) as string);
	},
	{ errorMessage: '' },
);

/** Limited to fields without dots and to JSON text. */
const editFields = stub(
	(context) =>
		context.getInputData().map(({ json: input }, item) => {
			const read = (name: string) => context.getNodeParameter(name, item);
			const assigned = () => read('assignments.assignments') as Array<{ name: string; value: IDataObject[string] }>;
			const fields =
				read('mode') === 'raw'
					? (JSON.parse(read('jsonOutput') as string) as IDataObject)
					: Object.fromEntries(assigned().map(({ name, value }) => [name, value]));
			const others = read('includeOtherFields') ? input : {};
			return { json: { ...others, ...fields }, pairedItem: { item } };
		}),
	{ mode: 'manual', jsonOutput: '', assignments: {}, includeOtherFields: false },
);

/** Limited to JavaScript that runs once for all items and uses `$input`, `$`, `$now`, and `DateTime`. */
const code = stub(
	(context) => {
		const { $input, $, $now, DateTime } = context.getWorkflowDataProxy(0) as Record<string, unknown>;
		const source = context.getNodeParameter('jsCode', 0) as string;
		const items = runInNewContext(`(() => {${source}})()`, { $input, $, $now, DateTime }) as INodeExecutionData[];
		return items.map(({ json }, item) => ({ json: { ...json }, pairedItem: { item } }));
	},
	{ jsCode: '' },
);

export const stubNodes: Readonly<Record<string, INodeType>> = {
	'n8n-nodes-base.manualTrigger': start,
	// n8n recognizes a trigger by its `trigger` method.
	'n8n-nodes-base.scheduleTrigger': { ...start, trigger: () => Promise.resolve({}) },
	/** A feed without items. */
	'n8n-nodes-base.rssFeedRead': stub(() => [], { url: '' }),
	'n8n-nodes-base.noOp': plain,
	'n8n-nodes-base.stickyNote': start,
	'n8n-nodes-base.code': code,
	'n8n-nodes-base.set': editFields,
	'n8n-nodes-base.limit': limit,
	'n8n-nodes-base.sort': sort,
	'n8n-nodes-base.splitOut': splitOut,
	'n8n-nodes-base.stopAndError': stopAndError,
};
