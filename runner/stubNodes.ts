import { runInNewContext } from 'node:vm';

import {
	type IDataObject,
	type INodeExecutionData,
	type INodeProperties,
	type INodeType,
	NodeOperationError,
} from 'n8n-workflow';

import { describePlainNode } from './plainNode';

/** A node that returns its input. */
function passThrough(name: string, isTrigger: boolean): INodeType {
	return {
		description: describePlainNode(name, isTrigger ? { group: ['trigger'], inputs: [] } : {}),
		execute() {
			return Promise.resolve([this.getInputData()]);
		},
	};
}

/** A trigger that n8n recognizes by its `trigger` method. */
function trigger(name: string): INodeType {
	return { ...passThrough(name, true), trigger: () => Promise.resolve({}) };
}

/** The RSS Read node, with a feed that has no items. */
const rssFeedRead: INodeType = {
	description: describePlainNode('rssFeedRead', {
		version: [1, 1.1],
		properties: [{ displayName: 'URL', name: 'url', type: 'string', default: '' }],
	}),
	execute: () => Promise.resolve([[]]),
};

interface SortField {
	fieldName: string;
	order: 'ascending' | 'descending';
}

const sortFields: INodeProperties = {
	displayName: 'Fields To Sort By',
	name: 'sortFieldsUi',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	default: {},
	options: [
		{
			displayName: '',
			name: 'sortField',
			values: [
				{ displayName: 'Field Name', name: 'fieldName', type: 'string', default: '' },
				{ displayName: 'Order', name: 'order', type: 'string', default: 'ascending' },
			],
		},
	],
};

/** The Sort node, limited to fields with texts, numbers or booleans. Equal items keep their order, as in n8n's. */
const sort: INodeType = {
	description: describePlainNode('sort', { properties: [sortFields] }),
	execute() {
		const fields = this.getNodeParameter('sortFieldsUi.sortField', 0) as SortField[];
		return Promise.resolve([this.getInputData().toSorted((a, b) => compare(a.json, b.json, fields))]);
	},
};

function compare(a: IDataObject, b: IDataObject, [field, ...others]: SortField[]): number {
	if (!field) return 0;
	const valueOf = (json: IDataObject) => json[field.fieldName] as string | number | boolean;
	const order = Number(valueOf(a) > valueOf(b)) - Number(valueOf(a) < valueOf(b));
	return (field.order === 'descending' ? -order : order) || compare(a, b, others);
}

const limitProperties: INodeProperties[] = [
	{ displayName: 'Max Items', name: 'maxItems', type: 'number', default: 1 },
	{ displayName: 'Keep', name: 'keep', type: 'string', default: 'firstItems' },
];

/** The Limit node. */
const limit: INodeType = {
	description: describePlainNode('limit', { properties: limitProperties }),
	execute() {
		const maxItems = this.getNodeParameter('maxItems', 0) as number;
		const isFirst = this.getNodeParameter('keep', 0) === 'firstItems';
		const items = this.getInputData();
		return Promise.resolve([isFirst ? items.slice(0, maxItems) : items.slice(-maxItems)]);
	},
};

const fieldToSplitOut: INodeProperties = {
	displayName: 'Fields To Split Out',
	name: 'fieldToSplitOut',
	type: 'string',
	default: '',
};

/** The Split Out node, limited to one field that is a list of objects. */
const splitOut: INodeType = {
	description: describePlainNode('splitOut', { properties: [fieldToSplitOut] }),
	execute() {
		const field = this.getNodeParameter('fieldToSplitOut', 0) as string;
		const items = this.getInputData().flatMap(({ json }, item) =>
			(json[field] as IDataObject[]).map((entry) => ({ json: entry, pairedItem: { item } })),
		);
		return Promise.resolve([items]);
	},
};

/** The Summarize node, limited to lists of the values of one field, by another field. */
const summarize: INodeType = {
	description: describePlainNode('summarize', {
		version: [1, 1.1],
		properties: [
			{ displayName: 'Fields to Summarize', name: 'fieldsToSummarize', type: 'json', default: {} },
			{ displayName: 'Fields to Split By', name: 'fieldsToSplitBy', type: 'string', default: '' },
		],
	}),
	execute() {
		const [{ field = '' } = {}] = this.getNodeParameter('fieldsToSummarize.values', 0) as Array<{ field?: string }>;
		const key = this.getNodeParameter('fieldsToSplitBy', 0) as string;
		const groups = new Map<unknown, IDataObject[]>();
		for (const { json } of this.getInputData()) groups.set(json[key], [...(groups.get(json[key]) ?? []), json]);
		const items = [...groups.values()].map((group) => ({
			json: { [key]: group[0]?.[key], [`appended_${field}`]: group.map((one) => one[field]) },
		}));
		return Promise.resolve([items]);
	},
};

/** The Stop and Error node, with a message. */
const stopAndError: INodeType = {
	description: describePlainNode('stopAndError', {
		properties: [{ displayName: 'Error Message', name: 'errorMessage', type: 'string', default: '' }],
	}),
	execute() {
		throw new NodeOperationError(this.getNode(), this.getNodeParameter('errorMessage', 0) as string);
	},
};

interface Assignment {
	name: string;
	value: IDataObject[string];
}

const editFieldsProperties: INodeProperties[] = [
	{ displayName: 'Mode', name: 'mode', type: 'string', default: 'manual' },
	{ displayName: 'JSON', name: 'jsonOutput', type: 'json', default: '' },
	{
		displayName: 'Fields to Set',
		name: 'assignments',
		type: 'assignmentCollection',
		default: {},
	},
	{
		displayName: 'Include Other Input Fields',
		name: 'includeOtherFields',
		type: 'boolean',
		default: false,
	},
];

/** The Edit Fields (Set) node, limited to fields without dots and to JSON text. */
const editFields: INodeType = {
	description: describePlainNode('set', { version: [3, 3.4], properties: editFieldsProperties }),
	execute() {
		const isRaw = this.getNodeParameter('mode', 0) === 'raw';
		const items = this.getInputData().map(({ json: input }, itemIndex) => {
			const read = (name: string) => this.getNodeParameter(name, itemIndex);
			const fields = isRaw
				? (JSON.parse(read('jsonOutput') as string) as IDataObject)
				: setFields(read('assignments.assignments') as Assignment[]);
			const others = read('includeOtherFields') ? input : {};
			return { json: { ...others, ...fields }, pairedItem: { item: itemIndex } };
		});
		return Promise.resolve([items]);
	},
};

function setFields(fields: readonly Assignment[]): IDataObject {
	return Object.fromEntries(fields.map(({ name, value }) => [name, value]));
}

/** The Code node, limited to JavaScript that runs once for all items and uses `$input`, `$`, `$now`, and `DateTime`. */
const code: INodeType = {
	description: describePlainNode('code', {
		version: [1, 2],
		properties: [{ displayName: 'JavaScript', name: 'jsCode', type: 'string', noDataExpression: true, default: '' }],
	}),
	execute() {
		const { $input, $, $now, DateTime } = this.getWorkflowDataProxy(0) as Record<string, unknown>;
		const source = this.getNodeParameter('jsCode', 0) as string;
		const items = runInNewContext(`(() => {${source}})()`, { $input, $, $now, DateTime }) as INodeExecutionData[];
		return Promise.resolve([items.map(({ json }, item) => ({ json: { ...json }, pairedItem: { item } }))]);
	},
};

/** Stubs for nodes of n8n-nodes-base, which is not installed. */
export const stubNodes: Readonly<Record<string, INodeType>> = {
	'n8n-nodes-base.manualTrigger': passThrough('manualTrigger', true),
	'n8n-nodes-base.scheduleTrigger': trigger('scheduleTrigger'),
	'n8n-nodes-base.rssFeedRead': rssFeedRead,
	'n8n-nodes-base.noOp': passThrough('noOp', false),
	'n8n-nodes-base.stickyNote': passThrough('stickyNote', true),
	'n8n-nodes-base.code': code,
	'n8n-nodes-base.set': editFields,
	'n8n-nodes-base.limit': limit,
	'n8n-nodes-base.sort': sort,
	'n8n-nodes-base.splitOut': splitOut,
	'n8n-nodes-base.summarize': summarize,
	'n8n-nodes-base.stopAndError': stopAndError,
};
