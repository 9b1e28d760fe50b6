import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { type JestWorkerFarm, Worker } from 'jest-worker';

import { N8n } from '../test/n8n/support/n8n';
import { packPackage } from '../test/n8n/support/packageUnderTest';
import { isFinished, type StoredExecution } from '../test/n8n/support/rest';
import { callWebhook, webhook } from '../test/n8n/support/webhook';
import { chain, type Node, splitOut } from '../test/n8n/support/workflows';

type Service = JestWorkerFarm<typeof import('./service')>;

/** A service and n8n, each in its own process. */
export interface Harness {
	readonly n8n: N8n;
	readonly service: Service;
	/** Of the service, and its private app. */
	readonly address: Awaited<ReturnType<typeof import('./service').address>>;
}

/** How often n8n is asked whether an execution has finished: each question costs it a little. */
const INTERVAL_MS = 250;
const TIME_LIMIT_MS = 240_000;

/** Starts everything, calls `use`, and stops everything. */
export async function withHarness(use: (harness: Harness) => Promise<void>): Promise<void> {
	packPackage();
	const service = new Worker(path.join(__dirname, 'service.ts'), {
		exposedMethods: ['address', 'reversedOrders'],
		numWorkers: 1,
		setupArgs: [],
	}) as Worker & Service;
	let n8n: N8n | undefined;
	try {
		n8n = await N8n.create({ name: 'n8n-bench' });
		await n8n.start();
		await n8n.rest.setUpOwner();
		await use({ n8n, service, address: await service.address() });
	} finally {
		await n8n?.remove();
		await service.end();
	}
}

/**
 * Runs a node, whose items have the page and the order of its blocks reversed. Returns the time as measured by n8n, in
 * milliseconds.
 */
export async function measure({ n8n, service }: Harness, node: Node, pageIds: readonly string[]): Promise<number> {
	const path = randomUUID();
	// Responds at once, so that the response does not include the output of the workflow.
	const nodes = [webhook(path, 'onReceived'), splitOut('body.items'), node];
	const { id, ...workflow } = await n8n.rest.createWorkflow(chain(node.name, ...nodes));
	await n8n.rest.activate({ id, ...workflow });
	await callWebhook(n8n, path, { items: await service.reversedOrders(pageIds) });
	const execution = await finished(n8n, id);
	await n8n.rest.deactivate(id);
	const [run] = (await n8n.rest.executionData(execution.id)).resultData.runData[node.name] ?? [];
	if (execution.status !== 'success' || !run) throw new Error(`${node.name}: ended as ${execution.status}`);
	return run.executionTime;
}

/** Waits until n8n has stored the execution of a workflow. */
async function finished({ rest }: N8n, workflowId: string): Promise<StoredExecution> {
	const end = Date.now() + TIME_LIMIT_MS;
	while (Date.now() < end) {
		await wait(INTERVAL_MS);
		// n8n closes connections when it has been busy for seconds.
		const [execution] = await rest.executions(workflowId).catch(() => []);
		if (execution && isFinished(execution)) return execution;
	}
	throw new Error(`The execution did not finish within ${TIME_LIMIT_MS} ms`);
}
