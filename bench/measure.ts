import type { Node } from '../test/n8n/support/workflows';
import type { Order } from './baseline/sendOrders';
import { ItemWorkflow } from './execution';
import type { Harness } from './harness';
import { Memory } from './memory';
import type { Received } from './service';

/** One run and what the service received. */
export interface Measurement extends Received {
	/** In milliseconds. */
	readonly time: number;
	/** Of n8n, in MiB. */
	readonly memoryGrowth: number;
}

/** Converts orders to the input items of the node. */
export type ToItems = (orders: readonly Order[]) => object[];

export const itemPerPage: ToItems = (orders) => orders.map((order) => ({ ...order }));

export const itemPerBlock: ToItems = (orders) => orders.flatMap(({ pageId, ids }) => ids.map((id) => ({ pageId, id })));

/** Measures one execution of a node. Its items reverse the pages; `toItems` may return others. */
export async function measureNode(
	harness: Harness,
	node: Node,
	pageIds: readonly string[],
	{ toItems = itemPerPage, status = 'success' }: { toItems?: ToItems; status?: 'success' | 'error' } = {},
): Promise<Measurement> {
	const workflow = await ItemWorkflow.create(harness.n8n, node);
	try {
		return await measureWorkflow(harness, workflow, pageIds, toItems, status);
	} finally {
		await workflow.deactivate();
	}
}

/** Measures one execution of a workflow that is active. */
export async function measureWorkflow(
	{ n8n, service }: Harness,
	workflow: ItemWorkflow,
	pageIds: readonly string[],
	toItems: ToItems = itemPerPage,
	status = 'success',
): Promise<Measurement> {
	const orders = await service.startRun(pageIds);
	const memory = new Memory(n8n.pid ?? NaN);
	memory.resetPeak();
	const before = memory.peak;
	const executionId = await workflow.run(toItems(orders), status);
	const memoryGrowth = memory.peak - before;
	return { ...(await service.finishRun(orders)), time: await workflow.nodeTime(executionId), memoryGrowth };
}

/** @throws Error if a page does not have the requested order */
export function expectChanged(measurement: Measurement): void {
	if (measurement.wrongPages > 0) throw new Error(`${measurement.wrongPages} pages have the wrong order`);
}

/** @throws Error if the service received another number of requests */
export function expectRequests({ requests }: Measurement, expected: number): void {
	if (requests !== expected) throw new Error(`${requests} requests instead of ${expected}`);
}
