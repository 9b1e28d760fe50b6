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
}

/** Converts orders to the input items of the node. */
export type ToItems = (orders: readonly Order[]) => object[];

export const itemPerPage: ToItems = (orders) => orders.map((order) => ({ ...order }));

export const itemPerBlock: ToItems = (orders) => orders.flatMap(({ pageId, ids }) => ids.map((id) => ({ pageId, id })));

/**
 * Reverses the order of pages with the given function.
 *
 * @throws Error if a page does not have the requested order afterwards
 */
export async function reversePages(
	{ service }: Harness,
	pageIds: readonly string[],
	send: (orders: readonly Order[]) => Promise<void>,
): Promise<Received> {
	const orders = await service.startRun(pageIds);
	await send(orders);
	const received = await service.finishRun(orders);
	if (received.wrongPages > 0) {
		throw new Error(`${received.wrongPages} of ${pageIds.length} pages have the wrong order`);
	}
	return received;
}

function expectRequests(expected: number, { requests }: Received): void {
	if (requests !== expected) throw new Error(`${requests} requests instead of ${expected}`);
}

/** The measurement of a node in n8n. */
export interface NodeMeasurement extends Measurement {
	/** Of n8n, in MiB. */
	readonly memoryGrowth: number;
}

/** Measures a node that sends as many requests for each page. */
export async function measureNode(
	harness: Harness,
	node: Node,
	pageIds: readonly string[],
	{ toItems, requestsPerPage = 1 }: { toItems?: ToItems; requestsPerPage?: number } = {},
): Promise<NodeMeasurement> {
	const measurement = await measureRetriedNode(harness, node, pageIds, toItems);
	expectRequests(requestsPerPage * pageIds.length, measurement);
	return measurement;
}

/** Measures a node that may send more requests. */
export async function measureRetriedNode(
	harness: Harness,
	node: Node,
	pageIds: readonly string[],
	toItems: ToItems = itemPerPage,
): Promise<NodeMeasurement> {
	const workflow = await ItemWorkflow.create(harness.n8n, node);
	const memory = new Memory(harness.n8n.pid ?? NaN);
	let executionId = '';
	let memoryGrowth = 0;
	const received = await reversePages(harness, pageIds, async (orders) => {
		memory.resetPeak();
		const before = memory.peak;
		executionId = await workflow.run(toItems(orders));
		memoryGrowth = memory.peak - before;
	});
	const time = await workflow.nodeTime(executionId);
	await workflow.deactivate();
	return { ...received, time, memoryGrowth };
}

/**
 * Measures a node that changes nothing.
 *
 * @param requests how many it sends
 */
export async function measureReading(
	harness: Harness,
	node: Node,
	pageIds: readonly string[],
	requests: number,
): Promise<Measurement> {
	const workflow = await ItemWorkflow.create(harness.n8n, node);
	const orders = await harness.service.startRun(pageIds);
	const executionId = await workflow.run(itemPerPage(orders));
	const received = await harness.service.finishRun(orders);
	expectRequests(requests, received);
	const time = await workflow.nodeTime(executionId);
	await workflow.deactivate();
	return { ...received, time };
}

export async function measureBareClient(
	harness: Harness,
	concurrency: number,
	pageIds: readonly string[],
): Promise<Measurement> {
	const { address, accessToken, bareClient } = harness;
	let time = 0;
	const received = await reversePages(harness, pageIds, async (orders) => {
		time = await bareClient.send({ baseUrl: address.baseUrl, accessToken, concurrency, orders });
	});
	expectRequests(pageIds.length, received);
	return { ...received, time };
}
