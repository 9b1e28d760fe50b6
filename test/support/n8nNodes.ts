/**
 * Nodes of n8n that examples use, or that people put into them: with the defaults and the outputs that they have in
 * n8n 2.40.7. The runner has the others.
 */
import { DateTime } from 'luxon';
import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeProperties, INodeType } from 'n8n-workflow';

import { describePlainNode, type LoadedPackage, plainFields } from '../../runner';

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
	options: [{ name: 'values', displayName: 'Values', values: [conditions, ...plainFields({ outputKey: '' })] }],
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

/** The node Loop Over Items, with one item at a time: its outputs are those of the end and of the loop. */
const splitInBatches: INodeType = {
	description: describePlainNode('splitInBatches', { version: [3], outputs: ['main', 'main'] }),
	execute() {
		const state = this.getContext('node') as { left?: INodeExecutionData[] };
		const input = this.getInputData();
		state.left ??= [...input];
		const next = state.left.shift();
		return Promise.resolve(next ? [[], [next]] : [input, []]);
	},
};

const PLAIN_NODES = {
	filter,
	if: ifNode,
	switch: switchNode,
	splitInBatches,
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

type Row = IDataObject & { id: number };

/** Data tables in memory, and the node that reads and writes them. */
export class DataTables {
	readonly #tables = new Map<string, Row[]>();
	#lastId = 0;

	readonly node: INodeType = {
		description: describePlainNode('dataTable', {
			version: [1, 1.1],
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
