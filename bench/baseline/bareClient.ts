import { Pool } from 'undici';

import { type Blocks, headersWith, type Order, PATH, sendOrders } from './sendOrders';

/** Orders to send, and where. */
export interface Sending {
	readonly baseUrl: string;
	readonly accessToken: string;
	/** How many requests are under way at once, each on a connection that is kept. */
	readonly concurrency: number;
	readonly orders: readonly Order[];
}

/**
 * Sends orders by an HTTP client that keeps its connections, with nothing around it.
 *
 * @returns the blocks of each page, as the service sent them
 * @throws Error if a request does not succeed
 */
export async function sendBare(sending: Sending): Promise<Blocks[]> {
	const { baseUrl, accessToken, concurrency, orders } = sending;
	const pool = new Pool(baseUrl, { connections: concurrency });
	const headers = headersWith(accessToken);
	try {
		return await sendOrders(orders, concurrency, async (form) => {
			const answer = await pool.request({ method: 'POST', path: PATH, headers, body: form });
			const text = await answer.body.text();
			if (answer.statusCode === 200) return text;
			throw new Error(`The service answered with ${answer.statusCode}: ${text}`);
		});
	} finally {
		await pool.destroy();
	}
}
