/** The order that a page is to have. */
export interface Order {
	readonly pageId: string;
	readonly ids: readonly string[];
}

/** The blocks of a page, as the service answers with them. */
export type Blocks = Array<Record<string, string | number>>;

/** Sends the form of one order; returns the JSON text of the answer, or throws. */
export type Send = (form: string) => Promise<string>;

/** Where the service takes orders. */
export const PATH = '/oauth/v1/page/blocks/sort';

/** The headers that an order needs. */
export const headersWith = (accessToken: string): Record<string, string> => ({
	authorization: `Bearer ${accessToken}`,
	'content-type': 'application/x-www-form-urlencoded',
});

/**
 * Sends orders of blocks with as little around it as can be.
 *
 * @param concurrency how many requests are under way at once
 * @returns the blocks of each page, as the service sent them
 */
export async function sendOrders(
	orders: readonly Order[],
	concurrency: number,
	send: Send,
): Promise<Blocks[]> {
	const answers: Blocks[] = [];
	const queue = orders.entries();
	const work = async () => {
		for (const [index, order] of queue) answers[index] = readBlocks(await send(formOf(order)));
	};
	await Promise.all(Array.from({ length: concurrency }, work));
	return answers;
}

function formOf({ pageId, ids }: Order): string {
	const blocks = JSON.stringify(ids.map((id, position) => ({ id, position })));
	return new URLSearchParams({ page_id: pageId, blocks }).toString();
}

function readBlocks(text: string): Blocks {
	return (JSON.parse(text) as { data: { blocks: Blocks } }).data.blocks;
}
