/**
 * Nodes of n8n-nodes-base, which is not installed, that examples use, or that people put into them: as much of each as
 * the examples need, with the defaults and the outputs of n8n 2.40.7.
 */
import { runInNewContext } from 'node:vm';

import { DateTime } from 'luxon';
import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	type INodeType,
	NodeOperationError,
} from 'n8n-workflow';

import { describePlainNode, type LoadedPackage, plainFields } from '../../runner';

const BASE = 'n8n-nodes-base.';

/** Adds these and other nodes to a package, by their names without the name of their package. */
export function withNodes(loaded: LoadedPackage, nodes: Record<string, INodeType>): LoadedPackage {
	const all: Record<string, INodeType> = { ...NODES, ...nodes };
	const find = (type: string) => (type.startsWith(BASE) ? all[type.slice(BASE.length)] : undefined);
	return {
		...loaded,
		nodeTypes: {
			...loaded.nodeTypes,
			getByName: (type) => find(type) ?? loaded.nodeTypes.getByName(type),
			getByNameAndVersion: (type, version) => find(type) ?? loaded.nodeTypes.getByNameAndVersion(type, version),
		},
	};
}

/** The versions that the examples use of any node. */
const VERSIONS = [1, 1.1, 2, 2.2, 2.3, 3, 3.2, 3.4, 4.2];

/**
 * @param execute returns the output
 * @param defaults of the fields, by their names
 */
function stub(
	execute: (context: IExecuteFunctions) => INodeExecutionData[],
	defaults: Parameters<typeof plainFields>[0] = {},
): INodeType {
	return {
		description: describePlainNode('stub', { version: VERSIONS, properties: plainFields(defaults) }),
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

const conditions: INodeProperties = {
	displayName: 'Conditions',
	name: 'conditions',
	type: 'filter',
	default: {},
	typeOptions: { filter: { version: 2 } },
};

const isMet = (context: IExecuteFunctions, name: string, item: number) =>
	context.getNodeParameter(name, item, false, { extractValue: true }) as boolean;

/** @param outputOf returns the number of the output for an item; a negative number leaves it out */
function distributing(
	outputs: number,
	property: INodeProperties,
	outputOf: (context: IExecuteFunctions, item: number) => number,
): INodeType {
	const names = Array.from({ length: outputs }, () => 'main' as const);
	return {
		description: describePlainNode('stub', { version: VERSIONS, properties: [property], outputs: names }),
		execute() {
			const distributed = names.map((): INodeExecutionData[] => []);
			for (const [item, data] of this.getInputData().entries()) {
				distributed[outputOf(this, item)]?.push({ ...data, pairedItem: { item } });
			}
			return Promise.resolve(distributed);
		},
	};
}

const filter = distributing(1, conditions, (context, item) => (isMet(context, 'conditions', item) ? 0 : -1));

const ifNode = distributing(2, conditions, (context, item) => (isMet(context, 'conditions', item) ? 0 : 1));

const rules: INodeProperties = {
	displayName: 'Rules',
	name: 'rules',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	default: {},
	options: [{ name: 'values', displayName: 'Values', values: [conditions, ...plainFields({ outputKey: '' })] }],
};

/** The output after those of the rules is that of the items that no rule fits. */
const switchNode = distributing(6, rules, (context, item) => {
	const { length } = context.getNodeParameter('rules.values', 0) as unknown[];
	const met = Array.from({ length }, (_, rule) => isMet(context, `rules.values[${rule}].conditions`, item));
	return met.includes(true) ? met.indexOf(true) : length;
});

/** The node Loop Over Items, with one item at a time: its outputs are those of the end and of the loop. */
const splitInBatches: INodeType = {
	description: describePlainNode('splitInBatches', { version: VERSIONS, outputs: ['main', 'main'] }),
	execute() {
		const state = this.getContext('node') as { left?: INodeExecutionData[] };
		const input = this.getInputData();
		state.left ??= [...input];
		const next = state.left.shift();
		return Promise.resolve(next ? [[], [next]] : [input, []]);
	},
};

const NODES = {
	manualTrigger: start,
	// n8n recognizes a trigger by its `trigger` method.
	scheduleTrigger: { ...start, trigger: () => Promise.resolve({}) },
	formTrigger: start,
	stickyNote: start,
	form: plain,
	httpRequest: plain,
	extractFromFile: plain,
	convertToFile: plain,
	noOp: plain,
	/** A feed without items. */
	rssFeedRead: stub(() => [], { url: '' }),
	code,
	filter,
	if: ifNode,
	limit,
	set: editFields,
	sort,
	splitInBatches,
	splitOut,
	stopAndError,
	switch: switchNode,
};

interface Condition {
	keyName: string;
	condition: 'eq' | 'isEmpty' | 'isNotEmpty';
	keyValue?: unknown;
}

type Row = IDataObject & { id: number };

/** Data tables in memory, and the node that reads and writes them. */
export class DataTables {
	readonly #tables = new Map<string, Row[]>();
	#lastId = 0;

	readonly node: INodeType = {
		description: describePlainNode('dataTable', {
			version: VERSIONS,
			properties: plainFields({ operation: 'insert', dataTableId: {}, filters: {}, columns: {} }),
		}),
		execute: executeDataTable((...parts) => this.#execute(...parts)),
	};

	rows(name: string): Row[] {
		return this.#tables.get(name) ?? [];
	}

	/** Adds rows, as a person does. Returns the last one. */
	add(name: string, ...values: IDataObject[]): Row {
		const added = values.map((value) => ({ ...value, id: (this.#lastId += 1) }));
		this.#tables.set(name, [...this.rows(name), ...added]);
		return added.at(-1)!;
	}

	/** Deletes rows, as a person does. */
	delete(name: string, isGone: (row: Row) => boolean): void {
		this.#tables.set(
			name,
			this.rows(name).filter((row) => !isGone(row)),
		);
	}

	/** Does an operation of the node for an item. Returns the rows of its output. */
	#execute(operation: string, name: string, conditions: readonly Condition[], values: IDataObject): Row[] {
		const found = this.rows(name).filter((row) => conditions.every((condition) => isTrue(condition, row)));
		if (operation === 'insert' || (operation === 'upsert' && found.length === 0)) return [this.add(name, values)];
		if (operation === 'update' || operation === 'upsert') return found.map((row) => Object.assign(row, values));
		if (operation === 'deleteRows') this.delete(name, (row) => found.includes(row));
		return found;
	}
}

function executeDataTable(
	perform: (operation: string, table: string, conditions: readonly Condition[], values: IDataObject) => Row[],
): INodeType['execute'] {
	return function execute() {
		const output = this.getInputData().flatMap((_, item) => {
			const read = (name: string) => this.getNodeParameter(name, item, null) as unknown;
			const operation = read('operation') as string;
			if (operation === 'create') return { json: {}, pairedItem: { item } };
			const conditions = (read('filters.conditions') ?? []) as Condition[];
			const values = Object.entries((read('columns.value') ?? {}) as IDataObject).map(toStored);
			const rows = perform(operation, read('dataTableId.value') as string, conditions, Object.fromEntries(values));
			return rows.map((json) => ({ json: { ...json }, pairedItem: { item } }));
		});
		return Promise.resolve([output]);
	};
}

/** A date is stored as text, and what is undefined as null. */
function toStored([name, value]: [string, IDataObject[string]]): [string, IDataObject[string]] {
	return [name, DateTime.isDateTime(value) ? value.toUTC().toISO() : (value ?? null)];
}

function isTrue({ keyName, condition, keyValue }: Condition, row: IDataObject): boolean {
	const isEmpty = (row[keyName] ?? '') === '';
	if (condition === 'eq') return row[keyName] === keyValue;
	return condition === 'isEmpty' ? isEmpty : !isEmpty;
}
