/** The new order of a page. */
export interface Order {
	readonly pageId: string;
	/** All blocks of the page, topmost first. */
	readonly ids: readonly string[];
}

/** The blocks of a page in a response of the service. */
export type Blocks = Array<Record<string, string | number>>;

/** Sends the form of one order and returns the JSON text of the response. */
export type Send = (form: string) => Promise<string>;

export const PATH = '/oauth/v1/page/blocks/sort';

export const headersWith = (accessToken: string): Record<string, string> => ({
	authorization: `Bearer ${accessToken}`,
	'content-type': 'application/x-www-form-urlencoded',
});

/**
 * Sends orders with the least possible overhead.
 *
 * @param concurrency the number of concurrent requests
 */
export async function sendOrders(orders: readonly Order[], concurrency: number, send: Send): Promise<Blocks[]> {
	const results: Blocks[] = [];
	const queue = orders.entries();
	const work = async () => {
		for (const [index, order] of queue) {
			results[index] = readBlocks(await send(toForm(order)));
		}
	};
	await Promise.all(Array.from({ length: concurrency }, work));
	return results;
}

function toForm({ pageId, ids }: Order): string {
	const blocks = JSON.stringify(ids.map((id, position) => ({ id, position })));
	return new URLSearchParams({ page_id: pageId, blocks }).toString();
}

function readBlocks(text: string): Blocks {
	return (JSON.parse(text) as { data: { blocks: Blocks } }).data.blocks;
}
