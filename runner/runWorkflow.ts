import { Container } from '@n8n/di';
import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import { SSHClientsManager } from 'n8n-core/dist/execution-engine/ssh-clients-manager';
import {
	type IConnections,
	type INode,
	type INodeExecutionData,
	type IPinData,
	type IRun,
	type IWorkflowExecuteAdditionalData,
	type IWorkflowSettings,
	Workflow,
} from 'n8n-workflow';

import type { CredentialStore } from './credentialStore';
import type { LoadedPackage } from './loadPackage';

/** A workflow, as n8n exports it. */
export interface WorkflowFile {
	name?: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
	/** Items that a node puts out in place of its own. */
	pinData?: IPinData;
}

export interface RunOptions {
	/** What the first node puts out, in place of one empty item. */
	input?: INodeExecutionData[];
	/** Cancels the execution, as the editor's stop button does. */
	signal?: AbortSignal;
	/** As n8n does, each execution gets an ID of its own if left out. */
	executionId?: string;
}

let executions = 0;

/** Runs a whole workflow in n8n's own engine, from its first node on. */
export async function runWorkflow(
	loaded: LoadedPackage,
	credentials: CredentialStore,
	file: WorkflowFile,
	{ input, signal, executionId = String(++executions) }: RunOptions = {},
): Promise<IRun> {
	const workflow = new Workflow({
		id: 'workflow',
		name: file.name ?? 'Workflow',
		nodes: file.nodes,
		connections: file.connections,
		settings: file.settings,
		active: false,
		nodeTypes: loaded.nodeTypes,
	});
	const execution = new WorkflowExecute(additionalData(credentials, file, executionId), 'manual');
	const startNode = workflow.getStartNode();
	if (!startNode) throw new Error('The workflow has no node to start from');
	const pinData = { ...file.pinData, ...(input && { [startNode.name]: input }) };
	const run = start(execution, { workflow, startNode, pinData });
	signal?.addEventListener('abort', () => run.cancel(), { once: true });
	return await run;
}

/** n8n 1 takes one by one what n8n 2 takes as one object. */
function start(
	execution: WorkflowExecute,
	options: { workflow: Workflow; startNode: INode; pinData: IPinData },
): ReturnType<WorkflowExecute['run']> {
	if (execution.run.length === 1) return execution.run(options);
	const { workflow, startNode, pinData } = options;
	const older = execution as unknown as {
		run: (...parts: unknown[]) => ReturnType<WorkflowExecute['run']>;
	};
	return older.run(workflow, startNode, undefined, pinData);
}

/** @param executionId left out where the editor asks for something outside of an execution */
export function additionalData(
	credentialsHelper: CredentialStore,
	{ name = 'Workflow', nodes, connections }: WorkflowFile,
	executionId?: string,
): IWorkflowExecuteAdditionalData {
	const hooks = new ExecutionLifecycleHooks('manual', executionId ?? '', {
		id: 'workflow',
		name,
		nodes,
		connections,
		active: false,
		isArchived: false,
		activeVersionId: null,
		createdAt: new Date(0),
		updatedAt: new Date(0),
	});
	// What a single workflow without sub-workflows, secrets or waiting webhooks needs of it.
	return {
		credentialsHelper,
		hooks,
		executionId,
		currentNodeExecutionIndex: 0,
		restApiUrl: 'http://localhost/rest',
		instanceBaseUrl: 'http://localhost',
		webhookBaseUrl: 'http://localhost/webhook',
		webhookWaitingBaseUrl: 'http://localhost/webhook-waiting',
		webhookTestBaseUrl: 'http://localhost/webhook-test',
		formWaitingBaseUrl: 'http://localhost/form-waiting',
		variables: {},
	} as unknown as IWorkflowExecuteAdditionalData;
}

/** Ends what n8n-core keeps running in the background, so that the process can end by itself. */
export function stopEngine(): void {
	Container.get(SSHClientsManager).onShutdown();
}
