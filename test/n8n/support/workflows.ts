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

/** Builds a Profile Page node with a private app's credential. */
export function profilePage(credential: Stored, parameters: object, settings: object = {}): Node {
	return {
		name: 'Profile Page',
		type: 'n8n-nodes-profile-page.profilePage',
		parameters,
		credentials: { profilePageApi: { id: credential.id, name: credential.name } },
		...settings,
	};
}

/** Builds a Profile Page node with a public app's credential. */
export function publicProfilePage(credential: Stored, parameters: object): Node {
	const credentials = { profilePageOAuth2Api: { id: credential.id, name: credential.name } };
	return profilePage(credential, { authentication: 'oAuth2', ...parameters }, { credentials });
}

/**
 * Builds a Profile Page Trigger with a private app's credential, which polls every few seconds. n8n accepts no poll time
 * that repeats within a minute, but several that each repeat every minute.
 *
 * @param seconds between two polls; a divisor of 60
 */
export function profilePageTrigger(credential: Stored, seconds: number): Node {
	const item = Array.from({ length: 60 / seconds }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * seconds} * * * * *`,
	}));
	return {
		name: 'Profile Page Trigger',
		type: 'n8n-nodes-profile-page.profilePageTrigger',
		parameters: { pollTimes: { item } },
		credentials: { profilePageApi: { id: credential.id, name: credential.name } },
	};
}

/** Builds n8n's HTTP Request node with a credential of this package, by default a private app's. */
export function httpRequest({ id, name }: Stored, parameters: object, nodeCredentialType = 'profilePageApi'): Node {
	return {
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: { authentication: 'predefinedCredentialType', nodeCredentialType, ...parameters },
		credentials: { [nodeCredentialType]: { id, name } },
	};
}

/** Returns the parameters of Reorder Blocks for a list of block IDs. */
export function reorderList(pageId: string, blockIds: readonly string[]): object {
	return { resource: 'blocks', operation: 'reorder', pageId, blockIds };
}

export const manualTrigger: Node = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} };

/** Builds a node that turns each entry of a list into an item. */
export function splitOut(field: string): Node {
	const parameters = { fieldToSplitOut: field, options: {} };
	return { name: 'Split Out', type: 'n8n-nodes-base.splitOut', parameters };
}

/** Builds a workflow of consecutive nodes. */
export function chain(name: string, ...nodes: Node[]): Workflow {
	const connect = (to: Node): object => ({ main: [[{ node: to.name, type: 'main', index: 0 }]] });
	return assemble(
		name,
		nodes,
		Object.fromEntries(nodes.slice(1).map((to, index) => [nodes[index]!.name, connect(to)])),
	);
}

/** Builds a workflow of nodes that stand beside each other. */
export function assemble(name: string, nodes: Node[], connections: object): Workflow {
	const place = (node: Node, column: number): Node => ({
		...{ id: `node-${column}`, typeVersion: 1, position: [column * 240, 0] },
		...node,
	});
	return { name, nodes: nodes.map(place), connections, settings: { executionOrder: 'v1' } };
}

/** The example workflows, for users to import. */
export const exampleFolder = path.resolve(folder, '../../examples');

export const exampleFiles = readdirSync(exampleFolder).filter((name) => name.endsWith('.json'));

export function readExample(file: string): WorkflowFile {
	return JSON.parse(readFileSync(path.join(exampleFolder, file), 'utf8')) as WorkflowFile;
}

/** Sets the bearer token that the MCP Server Triggers of a workflow require. */
export function useClientToken(file: WorkflowFile, token: Stored): WorkflowFile {
	const setToken = (node: WorkflowFile['nodes'][number]) =>
		node.type === '@n8n/n8n-nodes-langchain.mcpTrigger' ? { ...node, credentials: { httpBearerAuth: token } } : node;
	return { ...file, nodes: file.nodes.map(setToken) };
}
