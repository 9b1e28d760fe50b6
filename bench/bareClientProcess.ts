/** The bare client, in its own process: the baseline outside of n8n. */
import { performance } from 'node:perf_hooks';

import { type SendOptions, sendBare } from './baseline/bareClient';

/** Returns the time to send all orders, in milliseconds. */
export async function send(options: SendOptions): Promise<number> {
	const start = performance.now();
	await sendBare(options);
	return performance.now() - start;
}
