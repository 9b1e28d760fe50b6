import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

import type { N8n } from '../test/n8n/support/n8n';
import type { StoredExecution } from '../test/n8n/support/rest';
import { callWebhook } from '../test/n8n/support/webhook';
import { chain, type Node, splitOut } from '../test/n8n/support/workflows';
import { nodeTime } from './runData';

/** How often n8n is asked whether an execution has ended, which costs it a little. */
const INTERVAL_MS = 250;
const TIME_LIMIT_MS = 120_000;
const UNDER_WAY = ['new', 'running', 'waiting'];

/** A workflow of n8n that gives a node items from a webhook. */
export class ItemWorkflow {
	private constructor(
		private readonly n8n: N8n,
		private readonly id: string,
		private readonly path: string,
		private readonly node: string,
	) {}

	/** Stores the workflow of this node, and turns it on. */
	static async create(n8n: N8n, node: Node): Promise<ItemWorkflow> {
		const path = randomUUID();
		const workflow = await n8n.rest.createWorkflow(
			chain(node.name, webhook(path), splitOut('body.items'), node),
		);
		await n8n.rest.activate(workflow);
		return new ItemWorkflow(n8n, workflow.id, path, node.name);
	}

	/**
	 * Runs the node once on these items, and waits until n8n has stored the execution.
	 *
	 * @returns the ID of the execution
	 * @throws Error if it did not end as a success
	 */
	async run(items: readonly object[]): Promise<string> {
		const before = (await this.n8n.rest.executions(this.id)).length;
		await callWebhook(this.n8n, this.path, { items });
		const { id, status } = await this.#ended(before);
		if (status !== 'success') throw new Error(`${this.node}: execution ${id} ended as ${status}`);
		return id;
	}

	/** @returns how long the node took in an execution, by n8n's own watch, in milliseconds */
	async nodeTime(executionId: string): Promise<number> {
		const path = `/executions/${executionId}`;
		const { data } = await this.n8n.rest.send<{ data: string }>('GET', path);
		return nodeTime(data, this.node);
	}

	/** Turns the workflow off. */
	async end(): Promise<void> {
		await this.n8n.rest.deactivate(this.id);
	}

	async #ended(before: number): Promise<StoredExecution> {
		const end = Date.now() + TIME_LIMIT_MS;
		while (Date.now() < end) {
			await wait(INTERVAL_MS);
			const executions = await this.#executionsIfAnswered();
			const [newest] = executions;
			if (newest && executions.length > before && !UNDER_WAY.includes(newest.status)) return newest;
		}
		throw new Error(`${this.node}: the execution has not ended in time`);
	}

	/** An n8n that was busy for seconds closes the connection before it reads the question. */
	async #executionsIfAnswered(): Promise<StoredExecution[]> {
		try {
			return await this.n8n.rest.executions(this.id);
		} catch {
			return [];
		}
	}
}

/** Answers at once, so that the answer does not hold all that came out. */
function webhook(path: string): Node {
	return {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		parameters: { path, httpMethod: 'POST', responseMode: 'onReceived' },
	};
}
