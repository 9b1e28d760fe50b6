import type { IDataObject, INodeExecutionData, INodeProperties, INodeType } from 'n8n-workflow';

import { describePlainNode } from './plainNode';

/** A node that only hands its items on. */
function passThrough(name: string, isTrigger: boolean): INodeType {
	return {
		description: describePlainNode(name, isTrigger ? { group: ['trigger'], inputs: [] } : {}),
		execute() {
			return Promise.resolve([this.getInputData()]);
		},
	};
}

/** The same, for a trigger that n8n knows by its code and not by its name. */
function trigger(name: string): INodeType {
	return { ...passThrough(name, true), trigger: () => Promise.resolve({}) };
}

/** A trigger that asks whether there is something new. There never is. */
function poller(name: string): INodeType {
	const { description } = passThrough(name, true);
	return { description, poll: () => Promise.resolve(null) };
}

/** A field to sort by, as n8n stores it. */
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

/** Sort, as far as sorting by the texts of one field goes. */
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

/** A field that Edit Fields sets, as n8n stores it. */
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

/** Edit Fields (Set), as far as setting fields one by one goes. */
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

/** The editor keeps lists as text. */
function readValue(type: string, value: unknown): IDataObject[string] {
	const isListAsText = type === 'array' && typeof value === 'string';
	return (isListAsText ? JSON.parse(value) : value) as IDataObject[string];
}

/** What stands in for n8n's own nodes in workflows that are run here. */
export const standIns: Readonly<Record<string, INodeType>> = {
	'n8n-nodes-base.manualTrigger': passThrough('manualTrigger', true),
	'n8n-nodes-base.scheduleTrigger': trigger('scheduleTrigger'),
	'n8n-nodes-base.rssFeedReadTrigger': poller('rssFeedReadTrigger'),
	'n8n-nodes-base.noOp': passThrough('noOp', false),
	'n8n-nodes-base.stickyNote': passThrough('stickyNote', true),
	'n8n-nodes-base.set': editFields,
	'n8n-nodes-base.sort': sort,
};
