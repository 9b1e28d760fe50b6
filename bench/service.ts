/** The service, in its own process, so that it does not share an event loop with n8n. */
import { type Sandbox, startSandbox } from '../sandbox/server';

/** The order that a page should get, topmost block first. */
export interface Order {
	readonly pageId: string;
	readonly ids: readonly string[];
}

const PAGES = 300;
const BLOCKS = 10;
const LATENCY_MS = 25;

/** Returns the IDs of the first `count` pages. */
export function pages(count: number): string[] {
	return Array.from({ length: count }, (_, index) => `PAGE_${index}`);
}

let started: Promise<Sandbox>;

/** Called when this process starts. */
export function setup(): void {
	// As long as the service's own IDs.
	const id = (index: number) => `65f1c0a2b3d4e.${String(index).padStart(8, '0')}`;
	const blocks = Array.from({ length: BLOCKS }, (_, index) => ({ id: id(index), type: 'BLOCK_TITLE' }));
	started = startSandbox({ latency: LATENCY_MS, pages: pages(PAGES).map((page) => ({ id: page, blocks })) });
}

// Otherwise the server would keep this process alive if the benchmark crashes.
process.on('disconnect', () => process.exit());

export async function address() {
	const { baseUrl, clientId, clientSecret } = await started;
	return { baseUrl, clientId, clientSecret };
}

/** Returns the reversed order of each page. */
export async function reversedOrders(pageIds: readonly string[]): Promise<Order[]> {
	const { account } = await started;
	return pageIds.map((pageId) => ({ pageId, ids: account.order(pageId).toReversed() }));
}

/** Called when the benchmark ends this process. */
export async function teardown(): Promise<void> {
	await (await started).close();
}
