import { AsyncLocalStorage } from 'node:async_hooks';
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

/** How n8n polls: by itself, by its scheduler, or by its scheduler with durable cursors. */
export type PollingWay = 'legacy' | 'scheduler' | 'cursors';

/** What n8n's scheduler allows for a poll by default, in milliseconds. */
const BUDGET_MS = 36_000;

/** The state of a node during a poll, if n8n keeps it as a cursor. As JSON, what is stored. */
interface StagedCursor {
	readonly snapshot: IDataObject;
	stored: string;
}

interface Poll {
	readonly workflow: Workflow;
	readonly context: PollContext;
	/** The cursor that was read before the poll. */
	readonly prefetched?: string;
	/** Whether n8n still wants the result. */
	isCurrent(): boolean;
}

/**
 * A polling trigger in a workflow of its own. It replaces what older versions do not have, and does not poll by itself.
 * Its model are the classes `ActiveWorkflowTriggers` and `PollTriggerExecutor` of n8n-core, and
 * `TriggerExecutionContextFactory`, `PollTriggerTaskHandler`, and `PollCursorService` of n8n, version 2.40.7.
 */
export class PollingTrigger {
	/** The items of each execution that the trigger has started. */
	readonly executions: INodeExecutionData[][] = [];
	/** The errors that polls have thrown or reported. n8n stores a failed execution for each. */
	readonly errors: Error[] = [];

	readonly #loaded: LoadedPackage;
	readonly #store: CredentialStore;
	readonly #stagedCursor = new AsyncLocalStorage<StagedCursor | undefined>();
	#way: PollingWay;
	#workflowId = randomUUID();
	/** JSON text, as in a database. */
	#staticData = '{}';
	/** The same for the cursor of the node, which n8n never removes while the workflow exists. */
	#cursor?: string;
	/** Whether n8n's scheduler has jobs for the node. */
	#hasJobs = false;
	/** The first poll of the last activation. */
	#activation?: Poll;

	/** @param node a node that replaces it is used from the next activation on, or the next poll of the scheduler */
	constructor(
		loaded: LoadedPackage,
		store: CredentialStore,
		public node: INode,
		way: PollingWay = 'legacy',
	) {
		this.#loaded = loaded;
		this.#store = store;
		this.#way = way;
	}

	/** The stored state of the node. */
	get stored(): IDataObject {
		if (this.#cursor !== undefined) return JSON.parse(this.#cursor) as IDataObject;
		return (this.#readStaticData()[`node:${this.node.name}`] ?? {}) as IDataObject;
	}

	/**
	 * Activates the workflow, and polls once. The scheduler does not poll if it has jobs for the node already.
	 *
	 * @param mode why it is activated, such as `activate` by a user, or `init` when n8n starts
	 * @throws what the poll throws; the workflow is then inactive
	 */
	async activate(mode: WorkflowActivateMode): Promise<void> {
		const isStart = mode === 'init' || mode === 'leadershipChange';
		if (isStart && this.#hasJobs && this.#way !== 'legacy') return;
		const activation: Poll = { ...this.#newContext(mode), isCurrent: () => this.#activation === activation };
		this.#activation = activation;
		this.#hasJobs = this.#way !== 'legacy';
		try {
			await this.#run(activation, true);
		} catch (error) {
			this.deactivate();
			throw error;
		}
		this.#save(activation.workflow);
	}

	/** Deactivates the workflow. n8n discards what a running poll returns. */
	deactivate(): void {
		this.#activation = undefined;
		this.#hasJobs = false;
	}

	/**
	 * Ends the process of n8n, and starts another one.
	 *
	 * @param way in which n8n polls from now on
	 */
	async restart(way = this.#way): Promise<void> {
		// Nodes can tell workflows apart only by their ID: a new one hides what the node knows of the workflow.
		this.#workflowId = randomUUID();
		this.#way = way;
		if (way === 'legacy') this.#hasJobs = false;
		await this.activate('init');
	}

	/**
	 * Polls as n8n does at a poll time. An error is added to {@link errors}.
	 *
	 * @returns whether n8n counts the poll as a success
	 * @throws Error if the workflow is not active
	 */
	async poll(): Promise<boolean> {
		return await this.preparePoll()();
	}

	/** Does what n8n does at a poll time before it calls the node, such as reading what is stored. */
	preparePoll(): () => Promise<boolean> {
		const poll = this.#way === 'legacy' ? this.#activation : this.#newPoll();
		if (!poll) throw new Error('The workflow is not active');
		return async () => {
			try {
				await this.#run(poll);
				return true;
			} catch (error) {
				if (poll.isCurrent()) poll.context.__emitError(error as Error);
				return false;
			}
		};
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

	/** Returns a poll of the scheduler, which has a workflow and a context of its own. */
	#newPoll(): Poll | undefined {
		if (!this.#hasJobs) return undefined;
		const { workflow, context } = this.#newContext('update');
		Object.assign(context, { getPollBudgetMs: () => BUDGET_MS });
		const prefetched = this.#way === 'cursors' ? this.#cursor : undefined;
		return { workflow, context, prefetched, isCurrent: () => this.#hasJobs };
	}

	async #run(poll: Poll, isFirst = false): Promise<void> {
		const { workflow, context, prefetched } = poll;
		const nodeType = this.#loaded.nodeTypes.getByNameAndVersion(this.node.type, this.node.typeVersion);
		await this.#stagedCursor.run(this.#stageCursor(workflow, prefetched), async () => {
			const output = await nodeType.poll?.call(context);
			if (!poll.isCurrent()) return;
			if (output) context.__emit(output);
			else if (!isFirst) this.#commitCursor();
		});
	}

	/** Returns the cursor for a poll; undefined if the state of the node is in the static data of the workflow. */
	#stageCursor(workflow: Workflow, prefetched?: string): StagedCursor | undefined {
		if (this.#way === 'cursors') {
			this.#cursor ??= JSON.stringify(workflow.getStaticData('node', this.node));
		}
		const stored = prefetched ?? this.#cursor;
		if (stored === undefined) return undefined;
		return { snapshot: JSON.parse(stored) as IDataObject, stored };
	}

	/** Stores what the running poll has changed of the cursor. */
	#commitCursor(): void {
		const staged = this.#stagedCursor.getStore();
		const cursor = JSON.stringify(staged?.snapshot);
		if (!staged || cursor === staged.stored) return;
		staged.stored = cursor;
		this.#cursor = cursor;
	}

	#newContext(mode: WorkflowActivateMode): Pick<Poll, 'workflow' | 'context'> {
		const { node } = this;
		const workflow = this.#newWorkflow();
		const emit = ([items = []]: INodeExecutionData[][]) => {
			this.executions.push(items);
			this.#commitCursor();
			this.#save(workflow);
		};
		const emitError = (error: Error) => void this.errors.push(error);
		const context = new PollContext(workflow, node, additionalData(this.#store), 'trigger', mode, emit, emitError);
		Object.assign(context, {
			__commitCursor: () => {
				this.#commitCursor();
				return Promise.resolve();
			},
			getWorkflowStaticData: (type: string) => {
				const staged = type === 'node' ? this.#stagedCursor.getStore() : undefined;
				return staged?.snapshot ?? workflow.getStaticData(type, node);
			},
		});
		return { workflow, context };
	}

	/** Stores the static data of the workflow if a poll has changed it. */
	#save({ staticData }: Workflow): void {
		if (staticData.__dataChanged === true) this.#staticData = JSON.stringify(staticData);
		staticData.__dataChanged = false;
	}

	#readStaticData(): IDataObject {
		return JSON.parse(this.#staticData) as IDataObject;
	}

	#newWorkflow(): Workflow {
		const { nodeTypes } = this.#loaded;
		const staticData = this.#readStaticData();
		const nodes = [this.node];
		return new Workflow({ id: this.#workflowId, nodes, connections: {}, active: true, nodeTypes, staticData });
	}
}
