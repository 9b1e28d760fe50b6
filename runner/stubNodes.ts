import type { IDataObject, INodeExecutionData, INodeProperties, INodeType } from 'n8n-workflow';

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

/** A polling trigger that never finds anything. */
function poller(name: string): INodeType {
	const { description } = passThrough(name, true);
	return { description, poll: () => Promise.resolve(null) };
}

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

/** The Sort node, limited to one text field. */
const sort: INodeType = {
	description: describePlainNode('sort', { properties: [sortFields] }),
	execute() {
		const [field] = this.getNodeParameter('sortFieldsUi.sortField', 0) as SortField[];
		const { fieldName = '', order } = field ?? {};
		const textOf = ({ json }: INodeExecutionData) => json[fieldName] as string;
		const sorted = this.getInputData().toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
		return Promise.resolve([order === 'descending' ? sorted.reverse() : sorted]);
	},
};

interface Assignment {
	name: string;
	type: string;
	value: unknown;
}

const assignments: INodeProperties = {
	displayName: 'Fields to Set',
	name: 'assignments',
	type: 'assignmentCollection',
	default: {},
};

/** The Edit Fields (Set) node, limited to manual mapping. */
const editFields: INodeType = {
	description: describePlainNode('set', { version: [3, 3.4], properties: [assignments] }),
	execute() {
		const items = this.getInputData().map((_, itemIndex) => {
			const fields = this.getNodeParameter('assignments.assignments', itemIndex) as Assignment[];
			return { json: setFields(fields), pairedItem: { item: itemIndex } };
		});
		return Promise.resolve([items]);
	},
};

function setFields(fields: readonly Assignment[]): IDataObject {
	return Object.fromEntries(fields.map(({ name, type, value }) => [name, readValue(type, value)]));
}

/** The editor stores arrays as JSON text. */
function readValue(type: string, value: unknown): IDataObject[string] {
	const isJson = type === 'array' && typeof value === 'string';
	return (isJson ? JSON.parse(value) : value) as IDataObject[string];
}

/** Stubs for nodes of n8n-nodes-base, which is not installed. */
export const stubNodes: Readonly<Record<string, INodeType>> = {
	'n8n-nodes-base.manualTrigger': passThrough('manualTrigger', true),
	'n8n-nodes-base.scheduleTrigger': trigger('scheduleTrigger'),
	'n8n-nodes-base.rssFeedReadTrigger': poller('rssFeedReadTrigger'),
	'n8n-nodes-base.noOp': passThrough('noOp', false),
	'n8n-nodes-base.stickyNote': passThrough('stickyNote', true),
	'n8n-nodes-base.set': editFields,
	'n8n-nodes-base.sort': sort,
};
