import type { Node } from '../test/n8n/support/workflows';
import { ItemWorkflow } from './execution';
import { Memory } from './memory';
import type { PageOrder } from './pages';
import type { Seen } from './service';
import type { Harness } from './harness';

/** One run, and what the service saw of it. */
export interface Measured extends Seen {
	/** In milliseconds. */
	readonly time: number;
}

/** Makes the data of the items that bring these orders. */
export type ToItems = (orders: readonly PageOrder[]) => object[];

export const itemPerPage: ToItems = (orders) => orders.map((order) => ({ ...order }));

export const itemPerBlock: ToItems = (orders) =>
	orders.flatMap(({ pageId, ids }) => ids.map((id) => ({ pageId, id })));

/**
 * Turns the order of pages round.
 *
 * @param send does it
 * @returns what the service saw
 * @throws Error if a page is not in the order that was asked for
 */
export async function turnRound(
	{ service }: Harness,
	pageIds: readonly string[],
	send: (orders: readonly PageOrder[]) => Promise<void>,
): Promise<Seen> {
	const orders = await service.call('begin', pageIds);
	await send(orders);
	const seen = await service.call('finish', orders);
	if (seen.wrongPages > 0) {
		throw new Error(`${seen.wrongPages} of ${pageIds.length} pages are not in the order asked for`);
	}
	return seen;
}

/** @throws Error unless there was one request for each page */
export function expectOneRequestEach(pageIds: readonly string[], { requests }: Seen): void {
	if (requests !== pageIds.length) {
		throw new Error(`${requests} requests for ${pageIds.length} pages: some failed`);
	}
}

/** Lets a node of n8n do it, in a workflow of its own; also by how many MiB n8n's memory grew. */
export async function measureNode(
	harness: Harness,
	node: Node,
	pageIds: readonly string[],
	toItems: ToItems = itemPerPage,
): Promise<Measured & { readonly memoryGrowth: number }> {
	const workflow = await ItemWorkflow.create(harness.n8n, node);
	const memory = Memory.ofN8n(harness.n8n.userFolder);
	let executionId = '';
	let memoryGrowth = 0;
	const seen = await turnRound(harness, pageIds, async (orders) => {
		memory.resetPeak();
		const before = memory.peak;
		executionId = await workflow.run(toItems(orders));
		memoryGrowth = memory.peak - before;
	});
	expectOneRequestEach(pageIds, seen);
	const time = await workflow.nodeTime(executionId);
	await workflow.end();
	return { ...seen, time, memoryGrowth };
}

/** Lets a node of n8n read its fields only. */
export async function measureReading(
	harness: Harness,
	node: Node,
	pageIds: readonly string[],
): Promise<Measured> {
	const workflow = await ItemWorkflow.create(harness.n8n, node);
	const orders = await harness.service.call('begin', pageIds);
	const executionId = await workflow.run(itemPerPage(orders));
	const { requests, ...seen } = await harness.service.call('finish', orders);
	if (requests > 0) throw new Error('A node that only reads has sent something');
	const time = await workflow.nodeTime(executionId);
	await workflow.end();
	return { ...seen, requests, time };
}

/** Lets the bare client do it, in its own process. */
export async function measureBareClient(
	harness: Harness,
	concurrency: number,
	pageIds: readonly string[],
): Promise<Measured> {
	const { address, accessToken, bareClient } = harness;
	let time = 0;
	const seen = await turnRound(harness, pageIds, async (orders) => {
		const sending = { baseUrl: address.baseUrl, accessToken, concurrency, orders };
		time = await bareClient.call('send', sending);
	});
	expectOneRequestEach(pageIds, seen);
	return { ...seen, time };
}
