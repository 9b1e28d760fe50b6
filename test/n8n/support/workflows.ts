import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { WorkflowFile } from '../../../runner/runWorkflow';
import { folder } from './programs';
import type { Stored } from './rest';

/** A node of a workflow, as n8n stores it. */
export interface Node {
	id?: string;
	name: string;
	type: string;
	typeVersion?: number;
	position?: [number, number];
	parameters: object;
	credentials?: Record<string, Stored>;
	[setting: string]: unknown;
}

/** A workflow, as n8n stores and exports it. */
export interface Workflow {
	id?: string;
	name: string;
	nodes: Node[];
	connections: object;
	settings?: object;
	pinData?: object;
}

/** The Profile Page node with a credential of a private app. */
export function profilePage(credential: Stored, parameters: object, settings: object = {}): Node {
	return {
		name: 'Profile Page',
		type: 'n8n-nodes-profile-page.profilePage',
		parameters,
		credentials: { profilePageApi: { id: credential.id, name: credential.name } },
		...settings,
	};
}

/** n8n's HTTP Request node with a credential of this package, that of a private app if not said otherwise. */
export function httpRequest(
	{ id, name }: Stored,
	parameters: object,
	nodeCredentialType = 'profilePageApi',
): Node {
	return {
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: { authentication: 'predefinedCredentialType', nodeCredentialType, ...parameters },
		credentials: { [nodeCredentialType]: { id, name } },
	};
}

/** The fields of Reorder Blocks with an order that is given as a list. */
export function reorderList(pageId: string, blockIds: readonly string[]): object {
	return { resource: 'blocks', operation: 'reorder', pageId, blockOrder: 'list', blockIds };
}

export const manualTrigger: Node = {
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
	parameters: {},
};

export function scheduleTrigger(seconds: number): Node {
	return {
		name: 'Schedule',
		type: 'n8n-nodes-base.scheduleTrigger',
		typeVersion: 1.2,
		parameters: { rule: { interval: [{ field: 'seconds', secondsInterval: seconds }] } },
	};
}

/** Makes an item of each entry of a list, which a field of the one item holds. */
export function splitOut(field: string): Node {
	return {
		name: 'Split Out',
		type: 'n8n-nodes-base.splitOut',
		parameters: { fieldToSplitOut: field, options: {} },
	};
}

/** A workflow of nodes that follow one another. */
export function chain(name: string, ...nodes: Node[]): Workflow {
	const placed = nodes.map((node, index) => place(node, index, 0));
	const links = placed
		.slice(0, -1)
		.map((node, index) => link(node, placed.slice(index + 1, index + 2)));
	return assemble(name, placed, links);
}

/** How many chains stand beside one another. */
const CHAINS_PER_ROW = 4;

/** A workflow in which each of the nodes follows a trigger of its own. */
export function sideBySide(name: string, nodes: Node[]): Workflow {
	const chains = nodes.map((node, index) => {
		const column = 2 * (index % CHAINS_PER_ROW);
		const row = Math.floor(index / CHAINS_PER_ROW);
		const start = { ...manualTrigger, name: `Start ${index + 1}` };
		return [place(start, column, row), place(node, column + 1, row)] as const;
	});
	return assemble(
		name,
		chains.flat(),
		chains.map(([start, node]) => link(start, [node])),
	);
}

/** Puts a node at its place on the canvas. */
export function place(node: Node, column: number, row: number): Node {
	return {
		id: `node-${column}-${row}`,
		typeVersion: 1,
		position: [column * 240, row * 200],
		...node,
	};
}

/** How n8n writes that nodes follow another. */
function link(from: Node, to: Node[]): [name: string, connections: object] {
	return [from.name, { main: [to.map((node) => ({ node: node.name, type: 'main', index: 0 }))] }];
}

/** Makes a workflow of nodes that have their places. */
export function assemble(name: string, nodes: Node[], links: Array<[string, object]>): Workflow {
	return {
		name,
		nodes,
		connections: Object.fromEntries(links),
		settings: { executionOrder: 'v1' },
	};
}

/** Where the workflows are that users import. */
export const exampleFolder = path.resolve(folder, '../../examples');

/** The names of their files. */
export const exampleFiles = readdirSync(exampleFolder).filter((name) => name.endsWith('.json'));

/** A workflow of that folder. */
export function readExample(file: string): WorkflowFile {
	return JSON.parse(readFileSync(path.join(exampleFolder, file), 'utf8')) as WorkflowFile;
}

/** A row of the example that takes the order from a spreadsheet. */
interface Row {
	page: string;
	block: string;
	clicks: number;
}

/** The orders that the rows of that example ask for, by page: the block with the most clicks first. */
export function ordersByClicks({ nodes }: WorkflowFile): Map<string, string[]> {
	const source = nodes.find(({ name }) => name === 'Example Rows');
	const { rows } = JSON.parse(source?.parameters.jsonOutput as string) as { rows: Row[] };
	const orders = new Map<string, string[]>();
	for (const { page, block } of rows.toSorted((a, b) => b.clicks - a.clicks)) {
		orders.set(page, [...(orders.get(page) ?? []), block]);
	}
	return orders;
}
