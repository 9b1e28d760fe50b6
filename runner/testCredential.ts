import { ExecuteContext, RoutingNode } from 'n8n-core';
import {
	createRunExecutionData,
	type ICredentialDataDecryptedObject,
	type ICredentialsDecrypted,
	type ICredentialTestRequest,
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
	const { id, name } = reference;
	if (!test || !id) throw new Error(`${name} is not stored, or has no test`);
	const { request, rules = [] } = test;
	try {
		const data = store.applyDefaults(type, { ...store.read(reference), ...edited }, 'internal');
		const response = await sendTestRequest(store, { id, name, type, data }, request);
		const body = Object(response) as Record<string, unknown>;
		const failed = rules.find(
			({ type: kind, properties }) => kind === 'responseSuccessBody' && body[properties.key] === properties.value,
		);
		if (failed) return { status: 'Error', message: failed.properties.message };
		return { status: 'OK', message: 'Connection successful!' };
	} catch (error) {
		return { status: 'Error', message: describeFailure(error as TestFailure, rules) };
	}
}

async function sendTestRequest(
	store: CredentialStore,
	credential: ICredentialsDecrypted,
	request: ICredentialTestRequest['request'],
): Promise<unknown> {
	const { id, name, type } = credential;
	const nodeType: INodeType = {
		description: describePlainNode('noOp', {
			credentials: [{ name: type, required: true }],
			properties: [{ displayName: 'Temp', name: 'temp', type: 'string', routing: { request }, default: '' }],
		}),
	};
	const node: INode = {
		id: 'temp',
		name: 'Temp-Node',
		// As in n8n, without the package name.
		type: 'noOp',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		credentials: { [type]: { id, name } },
	};
	const getType = () => nodeType;
	const nodeTypes = { getByName: getType, getByNameAndVersion: getType, getKnownTypes: () => ({}) };
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const context = new ExecuteContext(
		workflow,
		node,
		additionalData(store),
		'internal',
		createRunExecutionData(),
		0,
		[],
		{ main: [[{ json: {} }]] },
		{ node, data: {}, source: null },
		[],
	);
	const output = await new RoutingNode(context, nodeType, credential).runNode();
	return output?.[0]?.[0]?.json;
}

/** The error that a failed test request throws. */
interface TestFailure {
	message: string;
	httpCode?: string | null;
	cause?: { code?: string; response?: { status: number; statusText: string } };
}

function describeFailure(
	{ message, httpCode, cause }: TestFailure,
	rules: NonNullable<ICredentialTestRequest['rules']>,
): string {
	// Errors of n8n-workflow 2.8 and 1.120 drop their cause, so n8n itself would never apply these
	// rules. They are applied here to the status that the errors keep as text.
	const response = cause?.response;
	const status = cause ? response?.status : Number(httpCode);
	const rule = rules.find(({ type, properties }) => type === 'responseCode' && properties.value === status);
	if (rule) return rule.properties.message;
	if (!response) return cause?.code ?? message;
	if (response.status < 300) return message;
	return response.statusText || `Received HTTP status code: ${response.status}`;
}
