import { Pool } from 'undici';

import { type Blocks, headersWith, type Order, PATH, sendOrders } from './sendOrders';

export interface SendOptions {
	readonly baseUrl: string;
	readonly accessToken: string;
	/** Number of concurrent requests, each on its own keep-alive connection. */
	readonly concurrency: number;
	readonly orders: readonly Order[];
}

/**
 * Sends orders with an HTTP client that reuses its connections, and nothing else.
 *
 * @throws Error if a request fails
 */
export async function sendBare(options: SendOptions): Promise<Blocks[]> {
	const { baseUrl, accessToken, concurrency, orders } = options;
	const pool = new Pool(baseUrl, { connections: concurrency });
	const headers = headersWith(accessToken);
	try {
		return await sendOrders(orders, concurrency, async (form) => {
			const response = await pool.request({ method: 'POST', path: PATH, headers, body: form });
			const text = await response.body.text();
			if (response.statusCode === 200) return text;
			throw new Error(`The service responded with ${response.statusCode}: ${text}`);
		});
	} finally {
		await pool.destroy();
	}
}
