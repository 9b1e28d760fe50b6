import { randomUUID } from 'node:crypto';

import { PollContext } from 'n8n-core';
import {
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type IRun,
	Workflow,
	type WorkflowActivateMode,
} from 'n8n-workflow';

import type { CredentialStore } from './credentialStore';
import type { LoadedPackage } from './loadPackage';
import { additionalData, runWorkflow } from './runWorkflow';

/**
 * A polling trigger in a workflow of its own: a replacement for the class `ActiveWorkflowTriggers` of n8n-core
 * (`dist/execution-engine/active-workflow-triggers.js`, version 2.40.7), which other versions do not have, and for the
 * class `TriggerExecutionContextFactory` of the package `n8n`. It does not poll by itself.
 */
export class PollingTrigger {
	/** The items of each execution that the trigger has started. */
	readonly executions: INodeExecutionData[][] = [];
	/** The errors that polls have thrown or reported. n8n stores a failed execution for each. */
	readonly errors: Error[] = [];

	readonly #loaded: LoadedPackage;
	readonly #store: CredentialStore;
	readonly #workflowId = randomUUID();
	/** JSON text, as in a database. */
	#staticData = '{}';
	/** Of the last activation. */
	#context?: PollContext;

	/** @param node a node that replaces it is used from the next activation on */
	constructor(
		loaded: LoadedPackage,
		store: CredentialStore,
		public node: INode,
	) {
		this.#loaded = loaded;
		this.#store = store;
	}

	/** The stored static data of the node. */
	get stored(): IDataObject {
		return (this.#readStaticData()[`node:${this.node.name}`] ?? {}) as IDataObject;
	}

	/**
	 * Activates the workflow, and polls once. Later polls use the same context.
	 *
	 * @param mode why it is activated, such as `activate` by a user, or `init` when n8n starts
	 * @throws what the poll throws; the workflow is then inactive
	 */
	async activate(mode: WorkflowActivateMode): Promise<void> {
		const workflow = this.#newWorkflow();
		const save = () => (this.#staticData = JSON.stringify(workflow.staticData));
		const emit = ([items = []]: INodeExecutionData[][]) => {
			this.executions.push(items);
			save();
		};
		const emitError = (error: Error) => void this.errors.push(error);
		const services = additionalData(this.#store, { nodes: [this.node], connections: {} });
		const context = new PollContext(
			workflow,
			this.node,
			services,
			'trigger',
			mode,
			emit,
			emitError,
		);
		this.#context = context;
		try {
			await this.#pollWith(context);
		} catch (error) {
			this.#context = undefined;
			throw error;
		}
		save();
	}

	/**
	 * Polls as n8n does at a poll time. An error is added to {@link errors}. The static data is stored only if the poll
	 * starts an execution.
	 *
	 * @returns whether n8n counts the poll as a success
	 * @throws Error if the workflow is not active
	 */
	async poll(): Promise<boolean> {
		const context = this.#context;
		if (!context) throw new Error('The workflow is not active');
		try {
			await this.#pollWith(context);
			return true;
		} catch (error) {
			if (this.#context === context) context.__emitError(error as Error);
			return false;
		}
	}

	/**
	 * Runs the workflow as the editor does to test it. Changes of the static data are stored, which n8n itself would not
	 * do.
	 */
	async test(): Promise<IRun> {
		const staticData = this.#readStaticData();
		const file = { nodes: [this.node], connections: {} };
		const run = await runWorkflow(this.#loaded, this.#store, file, { staticData });
		this.#staticData = JSON.stringify(staticData);
		return run;
	}

	async #pollWith(context: PollContext): Promise<void> {
		const { type, typeVersion } = this.node;
		const nodeType = this.#loaded.nodeTypes.getByNameAndVersion(type, typeVersion);
		const output = await nodeType.poll?.call(context);
		// n8n discards the output if the workflow has been activated again.
		if (output && this.#context === context) context.__emit(output);
	}

	#readStaticData(): IDataObject {
		return JSON.parse(this.#staticData) as IDataObject;
	}

	#newWorkflow(): Workflow {
		return new Workflow({
			id: this.#workflowId,
			name: 'Workflow',
			nodes: [this.node],
			connections: {},
			active: true,
			nodeTypes: this.#loaded.nodeTypes,
			staticData: this.#readStaticData(),
		});
	}
}
