import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

import type { N8n } from '../test/n8n/support/n8n';
import { isFinished, type StoredExecution } from '../test/n8n/support/rest';
import { callWebhook, webhook } from '../test/n8n/support/webhook';
import { chain, type Node, splitOut } from '../test/n8n/support/workflows';

/** The polling interval: each poll costs n8n a little. */
const INTERVAL_MS = 250;
const TIME_LIMIT_MS = 240_000;

/** A workflow in n8n that passes the items of a webhook request to a node. */
export class ItemWorkflow {
	readonly #n8n: N8n;
	readonly #id: string;
	readonly #path: string;
	readonly #node: string;

	private constructor(n8n: N8n, id: string, path: string, node: string) {
		this.#n8n = n8n;
		this.#id = id;
		this.#path = path;
		this.#node = node;
	}

	/** Stores and activates the workflow. */
	static async create(n8n: N8n, node: Node): Promise<ItemWorkflow> {
		const path = randomUUID();
		// Responds at once, so that the response does not include the output of the workflow.
		const trigger = webhook(path, 'onReceived');
		const workflow = await n8n.rest.createWorkflow(chain(node.name, trigger, splitOut('body.items'), node));
		await n8n.rest.activate(workflow);
		return new ItemWorkflow(n8n, workflow.id, path, node.name);
	}

	/**
	 * Executes the workflow and waits until n8n has stored the execution.
	 *
	 * @returns the ID of the execution
	 * @throws Error if the execution does not end with the status
	 */
	async run(items: readonly object[], expected = 'success'): Promise<string> {
		const before = (await this.#n8n.rest.executions(this.#id)).length;
		await callWebhook(this.#n8n, this.#path, { items });
		const { id, status } = await this.#finished(before);
		if (status !== expected) throw new Error(`${this.#node}: execution ${id} ended as ${status}`);
		return id;
	}

	/** Returns the execution time of the node as measured by n8n, in milliseconds. */
	async nodeTime(executionId: string): Promise<number> {
		const { resultData } = await this.#n8n.rest.executionData(executionId);
		const [run] = resultData.runData[this.#node] ?? [];
		if (!run) throw new Error(`${this.#node}: n8n stored no run of the node`);
		return run.executionTime;
	}

	async deactivate(): Promise<void> {
		await this.#n8n.rest.deactivate(this.#id);
	}

	async #finished(before: number): Promise<StoredExecution> {
		const end = Date.now() + TIME_LIMIT_MS;
		while (Date.now() < end) {
			await wait(INTERVAL_MS);
			// n8n closes connections when it has been busy for seconds.
			const executions = await this.#n8n.rest.executions(this.#id).catch(() => []);
			const [newest] = executions;
			if (newest && executions.length > before && isFinished(newest)) return newest;
		}
		throw new Error(`${this.#node}: the execution did not finish within ${TIME_LIMIT_MS} ms`);
	}
}
