import { ExecuteContext, RoutingNode } from 'n8n-core';
import {
	createRunExecutionData,
	type ICredentialTestRequest,
	type IExecuteData,
	type INode,
	type INodeCredentialsDetails,
	type INodeCredentialTestResult,
	type INodeType,
	Workflow,
} from 'n8n-workflow';

import type { CredentialStore } from './credentialStore';
import type { LoadedPackage } from './loadPackage';
import { describePlainNode } from './plainNode';
import { additionalData } from './runWorkflow';

/**
 * Does what the editor's Test button does. The real one is the class `CredentialsTester` of the
 * package `n8n` (`dist/services/credentials-tester.service.js`, read at version 2.40.7): a node is
 * made up whose one field sends the credential's test request, and the credential's rules put the
 * outcome in words.
 */
export async function testCredential(
	loaded: LoadedPackage,
	store: CredentialStore,
	type: string,
	reference: INodeCredentialsDetails,
): Promise<INodeCredentialTestResult> {
	const { test } = loaded.credentialType(type);
	if (!test) throw new Error(`${type} has no test`);
	try {
		const answer = await sendTestRequest(store, type, reference, test.request);
		return judgeAnswer(answer, test.rules);
	} catch (error) {
		return explainFailure(error as TestFailure, test.rules);
	}
}

async function sendTestRequest(
	store: CredentialStore,
	type: string,
	reference: INodeCredentialsDetails,
	request: ICredentialTestRequest['request'],
): Promise<unknown> {
	const nodeType = testNodeType(type, request);
	const node: INode = {
		id: 'temp',
		name: 'Temp-Node',
		type: 'n8n-nodes-base.noOp',
		typeVersion: 1,
		position: [0, 0],
		parameters: { temp: '' },
		credentials: { [type]: reference },
	};
	const nodeTypes = {
		getByName: () => nodeType,
		getByNameAndVersion: () => nodeType,
		getKnownTypes: () => ({}),
	};
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const executeData: IExecuteData = { node, data: {}, source: null };
	const context = new ExecuteContext(
		workflow,
		node,
		additionalData(store, { nodes: [node], connections: {} }),
		'internal',
		createRunExecutionData(),
		0,
		[],
		{ main: [[{ json: {} }]] },
		executeData,
		[],
	);
	const output = await new RoutingNode(context, nodeType).runNode();
	return output?.[0]?.[0]?.json;
}

function testNodeType(type: string, request: ICredentialTestRequest['request']): INodeType {
	return {
		description: describePlainNode('n8n-nodes-base.noOp', {
			credentials: [{ name: type, required: true }],
			properties: [
				{ displayName: 'Temp', name: 'temp', type: 'string', routing: { request }, default: '' },
			],
		}),
	};
}

function judgeAnswer(
	answer: unknown,
	rules: ICredentialTestRequest['rules'] = [],
): INodeCredentialTestResult {
	for (const { type, properties } of rules) {
		if (type !== 'responseSuccessBody') continue;
		if ((answer as Record<string, unknown>)[properties.key] === properties.value) {
			return { status: 'Error', message: properties.message };
		}
	}
	return { status: 'OK', message: 'Connection successful!' };
}

/** What a failed test request throws; this version of n8n-core keeps the status as a text. */
interface TestFailure {
	message: string;
	httpCode?: string | null;
}

function explainFailure(
	{ message, httpCode }: TestFailure,
	rules: ICredentialTestRequest['rules'] = [],
): INodeCredentialTestResult {
	for (const { type, properties } of rules) {
		if (type === 'responseCode' && String(properties.value) === httpCode) {
			return { status: 'Error', message: properties.message };
		}
	}
	return { status: 'Error', message };
}
