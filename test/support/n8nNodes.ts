/**
 * Nodes of n8n that examples use, or that people put into them: with the defaults and the outputs that they have in
 * n8n 2.40.7. The runner has the others.
 */
import assert from 'node:assert/strict';

import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeProperties, INodeType } from 'n8n-workflow';

import { describePlainNode, type LoadedPackage } from '../../runner';

const BASE = 'n8n-nodes-base.';

/** Adds nodes to those of the runner, by their names without the name of their package. */
export function withNodes(loaded: LoadedPackage, nodes: Record<string, INodeType>): LoadedPackage {
	const all: Record<string, INodeType> = { ...PLAIN_NODES, ...nodes };
	const find = (type: string) => (type.startsWith(BASE) ? all[type.slice(BASE.length)] : undefined);
	return {
		...loaded,
		nodeTypes: {
			getByName: (type) => find(type) ?? loaded.nodeTypes.getByName(type),
			getByNameAndVersion: (type, version) => find(type) ?? loaded.nodeTypes.getByNameAndVersion(type, version),
			getKnownTypes: () => loaded.nodeTypes.getKnownTypes(),
		},
	};
}

const text = (name: string, defaultValue = ''): INodeProperties => ({
	displayName: name,
	name,
	type: 'string',
	default: defaultValue,
});

const plain = (name: string, isTrigger = false): INodeType => ({
	description: describePlainNode(name, {
		version: [1, 1.1, 2.3, 4.2],
		...(isTrigger && { group: ['trigger'], inputs: [] }),
	}),
	execute() {
		return Promise.resolve([this.getInputData()]);
	},
});

const conditions: INodeProperties = {
	displayName: 'Conditions',
	name: 'conditions',
	type: 'filter',
	default: {},
	typeOptions: { filter: { version: 2 } },
};

const isMet = (context: IExecuteFunctions, name: string, item: number) =>
	context.getNodeParameter(name, item, false, { extractValue: true }) as boolean;

/** Returns the input items, each at the output of this number; a negative number leaves it out. */
function distribute(context: IExecuteFunctions, outputs: number, outputOf: (item: number) => number) {
	const distributed: INodeExecutionData[][] = Array.from({ length: outputs }, () => []);
	for (const [item, data] of context.getInputData().entries()) {
		distributed[outputOf(item)]?.push({ ...data, pairedItem: { item } });
	}
	return Promise.resolve(distributed);
}

const filter: INodeType = {
	description: describePlainNode('filter', { version: [2, 2.2], properties: [conditions] }),
	execute() {
		return distribute(this, 1, (item) => (isMet(this, 'conditions', item) ? 0 : -1));
	},
};

const ifNode: INodeType = {
	description: describePlainNode('if', { version: [2.2, 2.3], properties: [conditions], outputs: ['main', 'main'] }),
	execute() {
		return distribute(this, 2, (item) => (isMet(this, 'conditions', item) ? 0 : 1));
	},
};

const rules: INodeProperties = {
	displayName: 'Rules',
	name: 'rules',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	default: {},
	options: [{ name: 'values', displayName: 'Values', values: [conditions, text('outputKey')] }],
};

/** The last output is that of the items that no rule fits. */
const switchNode: INodeType = {
	description: describePlainNode('switch', {
		version: [3, 3.2],
		properties: [rules],
		outputs: Array.from({ length: 6 }, () => 'main' as const),
	}),
	execute() {
		const count = (this.getNodeParameter('rules.values', 0) as unknown[]).length;
		const numbers = Array.from({ length: count }, (_, index) => index);
		return distribute(this, count + 1, (item) => {
			const found = numbers.find((rule) => isMet(this, `rules.values[${rule}].conditions`, item));
			return found ?? count;
		});
	},
};

const PLAIN_NODES = {
	filter,
	if: ifNode,
	switch: switchNode,
	formTrigger: plain('formTrigger', true),
	form: plain('form'),
	httpRequest: plain('httpRequest'),
	extractFromFile: plain('extractFromFile'),
	convertToFile: plain('convertToFile'),
};

interface Condition {
	keyName: string;
	condition: 'eq' | 'isEmpty' | 'isNotEmpty';
	keyValue?: unknown;
}

/** A data table in memory, and the node that reads and writes it: get, upsert, and delete rows. */
export class DataTable {
	rows: IDataObject[] = [];
	#lastId = 0;

	readonly node: INodeType = {
		description: describePlainNode('dataTable', {
			version: [1, 1.1],
			properties: [
				text('operation'),
				{ displayName: 'Filters', name: 'filters', type: 'json', default: {} },
				{ displayName: 'Columns', name: 'columns', type: 'json', default: {} },
			],
		}),
		execute: executeDataTable(this),
	};

	add(row: IDataObject): IDataObject {
		this.#lastId += 1;
		const added = { id: this.#lastId, ...row };
		this.rows.push(added);
		return added;
	}
}

function executeDataTable(table: DataTable): INodeType['execute'] {
	return function execute() {
		const output = this.getInputData().flatMap((_, item) => {
			const conditions = this.getNodeParameter('filters.conditions', item, []) as unknown as Condition[];
			const found = table.rows.filter((row) => conditions.every((condition) => isTrue(condition, row)));
			return change(table, this, item, found).map((json) => ({ json: { ...json }, pairedItem: { item } }));
		});
		return Promise.resolve([output]);
	};
}

function isTrue({ keyName, condition, keyValue }: Condition, row: IDataObject): boolean {
	const isEmpty = (row[keyName] ?? '') === '';
	if (condition === 'eq') return row[keyName] === keyValue;
	return condition === 'isEmpty' ? isEmpty : !isEmpty;
}

/** Does what the node is set to with the rows that its filters have found. */
function change(table: DataTable, context: IExecuteFunctions, item: number, found: IDataObject[]): IDataObject[] {
	const operation = context.getNodeParameter('operation', item);
	if (operation === 'get') return found;
	if (operation === 'deleteRows') {
		table.rows = table.rows.filter((row) => !found.includes(row));
		return found;
	}
	assert.equal(operation, 'upsert');
	const values = context.getNodeParameter('columns.value', item) as IDataObject;
	if (found.length === 0) return [table.add(values)];
	return found.map((row) => Object.assign(row, values));
}

/** An event as Google Calendar returns it, with the fields that its API always has among those that are read. */
export interface CalendarEvent extends IDataObject {
	start: { dateTime?: string; date?: string; timeZone?: string };
	end: { dateTime?: string; date?: string; timeZone?: string };
}

/** The node Google Calendar with Event, Get Many. Events that repeat have to be given one by one. */
export function googleCalendar(events: readonly CalendarEvent[]): INodeType {
	// An expression returns a DateTime.
	const toTime = (value: unknown) => new Date(value as string).getTime();
	const timeOf = ({ dateTime, date }: CalendarEvent['start']) => Date.parse(dateTime ?? `${date}T00:00:00Z`);
	return {
		description: describePlainNode('googleCalendar', {
			version: [1.3],
			properties: [
				text('resource', 'calendar'),
				text('operation', 'availability'),
				{ displayName: 'Return All', name: 'returnAll', type: 'boolean', default: false },
				{ displayName: 'Limit', name: 'limit', type: 'number', default: 50 },
				{ displayName: 'After', name: 'timeMin', type: 'dateTime', default: '={{ $now }}' },
				{ displayName: 'Before', name: 'timeMax', type: 'dateTime', default: '={{ $now.plus({ week: 1 }) }}' },
			],
		}),
		execute() {
			const read = (name: string) => this.getNodeParameter(name, 0);
			const [after, before] = [toTime(read('timeMin')), toTime(read('timeMax'))];
			const found = events.filter(({ start, end }) => !(timeOf(end) <= after) && !(timeOf(start) >= before));
			const count = read('returnAll') ? found.length : Number(read('limit'));
			return Promise.resolve([found.slice(0, count).map((json) => ({ json, pairedItem: { item: 0 } }))]);
		},
	};
}

/** The node Telegram with Message, Send Message, and the texts as readers see them. What Telegram refuses, throws. */
export function telegram(): { node: INodeType; shown: string[] } {
	const shown: string[] = [];
	const node: INodeType = {
		description: describePlainNode('telegram', {
			version: [1.2],
			properties: [
				text('text'),
				{ displayName: 'Additional Fields', name: 'additionalFields', type: 'json', default: {} },
			],
		}),
		execute() {
			for (const item of this.getInputData().keys()) {
				const message = this.getNodeParameter('text', item) as string;
				const mode = this.getNodeParameter('additionalFields.parse_mode', item, 'Markdown');
				const suffix = this.getNodeParameter('additionalFields.appendAttribution', item, true)
					? '\n\nThis message was sent automatically with n8n'
					: '';
				shown.push((mode === 'HTML' ? readHtml(message) : readMarkdown(message)) + suffix);
			}
			return Promise.resolve([this.getInputData()]);
		},
	};
	return { node, shown };
}

/** Telegram's Markdown: each of these signs opens or closes something. */
function readMarkdown(message: string): string {
	const signs = ['_', '*', '`'].filter((sign) => (message.split(sign).length - 1) % 2 === 1);
	if (signs.length > 0 || /\[(?![^\]]*\]\()/.test(message)) throw new Error("Bad Request: can't parse entities");
	return message.replace(/[_*`]/g, '');
}

/** Telegram's HTML: other tags than its own are refused. */
function readHtml(message: string): string {
	if (message.includes('<') || /&(?!amp;|lt;|gt;|quot;)/.test(message)) {
		throw new Error("Bad Request: can't parse entities");
	}
	return message.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
