import { Container } from '@n8n/di';
import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import { SSHClientsManager } from 'n8n-core/dist/execution-engine/ssh-clients-manager';
import {
	type IConnections,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type IPinData,
	type IRun,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
	type IWorkflowSettings,
	Workflow,
} from 'n8n-workflow';

import type { CredentialStore } from './credentialStore';
import type { LoadedPackage } from './loadPackage';

/** A workflow in n8n's export format. */
export interface WorkflowFile {
	name?: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
	/** Items that replace the output of a node. */
	pinData?: IPinData;
}

export interface RunOptions {
	/** The output of the first node; one empty item by default. */
	input?: INodeExecutionData[];
	/** Cancels the execution, like the editor's stop button. */
	signal?: AbortSignal;
	/** Unique by default. */
	executionId?: string;
	/** Empty for one that is not saved. */
	workflowId?: string;
	/** What nodes have stored. They may change it. */
	staticData?: IDataObject;
}

let executions = 0;

/** Runs a workflow from its first node in n8n's own engine. */
export async function runWorkflow(
	loaded: LoadedPackage,
	credentials: CredentialStore,
	file: WorkflowFile,
	{ input, signal, executionId = String(++executions), workflowId = 'workflow', staticData }: RunOptions = {},
): Promise<IRun> {
	const workflow = new Workflow({
		id: workflowId,
		name: file.name ?? 'Workflow',
		nodes: file.nodes,
		connections: file.connections,
		settings: file.settings,
		active: false,
		nodeTypes: loaded.nodeTypes,
		staticData,
	});
	const execution = new WorkflowExecute(additionalData(credentials, executionId), 'manual');
	const startNode = workflow.getStartNode();
	if (!startNode) throw new Error('The workflow has no node to start from');
	const pinData = { ...file.pinData, ...(input && { [startNode.name]: input }) };
	const run = start(execution, { workflow, startNode, pinData });
	signal?.addEventListener('abort', () => run.cancel(), { once: true });
	return await run;
}

/** n8n 1 expects separate arguments, n8n 2 one object. */
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

/** @param executionId undefined outside of an execution, for requests of the editor */
export function additionalData(
	credentialsHelper: CredentialStore,
	executionId?: string,
): IWorkflowExecuteAdditionalData {
	const hooks = new ExecutionLifecycleHooks('manual', executionId ?? '', {} as IWorkflowBase);
	// Enough for a workflow without sub-workflows, secrets and webhooks.
	return {
		credentialsHelper,
		hooks,
		executionId,
		currentNodeExecutionIndex: 0,
		webhookWaitingBaseUrl: 'http://localhost/webhook-waiting',
		formWaitingBaseUrl: 'http://localhost/form-waiting',
		variables: {},
	} as unknown as IWorkflowExecuteAdditionalData;
}

/** Stops n8n-core's background timers, so that the process can exit. */
export function stopEngine(): void {
	Container.get(SSHClientsManager).onShutdown();
}
