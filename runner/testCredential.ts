import { ExecuteContext, RoutingNode } from 'n8n-core';
import {
	createRunExecutionData,
	type ICredentialDataDecryptedObject,
	type ICredentialsDecrypted,
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
 * Tests a credential as the editor does: a replacement for the class `CredentialsTester` of
 * the package `n8n` (`dist/services/credentials-tester.service.js`, version 2.40.7). A temporary node
 * sends the test request, and the rules of the credential type turn the result into a message. The
 * request uses the stored token: `preAuthentication` runs only without one, or after a 401.
 *
 * @param edited unsaved changes. n8n merges them with the stored values of hidden fields such as the
 *   token.
 */
export async function testCredential(
	loaded: LoadedPackage,
	store: CredentialStore,
	type: string,
	reference: INodeCredentialsDetails,
	edited: ICredentialDataDecryptedObject = {},
): Promise<INodeCredentialTestResult> {
	const { test } = loaded.credentialType(type);
	if (!test) throw new Error(`${type} has no test`);
	const { id, name } = reference;
	if (!id) throw new Error(`${name} is not stored`);
	const fields = { ...store.read(reference), ...edited };
	let response: unknown;
	try {
		const data = store.applyDefaults(type, fields, 'internal');
		response = await sendTestRequest(store, { id, name, type, data }, test.request);
	} catch (error) {
		return describeFailure(error as TestFailure, test.rules);
	}
	return checkResponse(response, test.rules);
}

async function sendTestRequest(
	store: CredentialStore,
	credential: ICredentialsDecrypted,
	request: ICredentialTestRequest['request'],
): Promise<unknown> {
	const { id, name, type } = credential;
	const nodeType = testNodeType(type, request);
	const node: INode = {
		id: 'temp',
		name: 'Temp-Node',
		// As in n8n, without the package name.
		type: nodeType.description.name,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		credentials: { [type]: { id, name } },
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
	const output = await new RoutingNode(context, nodeType, credential).runNode();
	return output?.[0]?.[0]?.json;
}

function testNodeType(type: string, request: ICredentialTestRequest['request']): INodeType {
	return {
		description: describePlainNode('noOp', {
			credentials: [{ name: type, required: true }],
			properties: [{ displayName: 'Temp', name: 'temp', type: 'string', routing: { request }, default: '' }],
		}),
	};
}

function checkResponse(response: unknown, rules: ICredentialTestRequest['rules'] = []): INodeCredentialTestResult {
	for (const { type, properties } of rules) {
		if (type !== 'responseSuccessBody') continue;
		if (valueAt(response, properties.key) === properties.value) {
			return { status: 'Error', message: properties.message };
		}
	}
	return { status: 'OK', message: 'Connection successful!' };
}

/** Returns the value at a path such as "info.username", like lodash's `get`. */
function valueAt(value: unknown, path: string): unknown {
	return path.split('.').reduce((found, key) => (Object(found) as Record<string, unknown>)[key], value);
}

/** The error that a failed test request throws. */
interface TestFailure {
	message: string;
	httpCode?: string | null;
	cause?: { code?: string; response?: { status: number; statusText: string } };
}

function describeFailure(
	{ message, httpCode, cause }: TestFailure,
	rules: ICredentialTestRequest['rules'] = [],
): INodeCredentialTestResult {
	// Errors of n8n-workflow 2.8 and 1.120 drop their cause, so n8n itself would never apply these
	// rules. They are applied here to the status that the errors keep as text.
	const response = cause?.response;
	const status = cause ? response?.status : Number(httpCode);
	const rule = rules.find(({ type, properties }) => type === 'responseCode' && properties.value === status);
	if (rule) return { status: 'Error', message: rule.properties.message };
	if (!response) return { status: 'Error', message: cause?.code ?? message };
	if (response.status >= 200 && response.status < 300) return { status: 'Error', message };
	return {
		status: 'Error',
		message: response.statusText || `Received HTTP status code: ${response.status}`,
	};
}
