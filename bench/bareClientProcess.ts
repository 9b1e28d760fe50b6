/** The bare client, in its own process: the baseline outside of n8n. */
import { performance } from 'node:perf_hooks';

import { type SendOptions, sendBare } from './baseline/bareClient';
import type { ServiceAddress } from './service';

/** Returns a token for clients that do not request one themselves. */
export async function requestToken({ baseUrl, clientId, clientSecret }: ServiceAddress): Promise<string> {
	const app = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
	const response = await fetch(`${baseUrl}/oauth/token`, {
		method: 'POST',
		headers: { authorization: `Basic ${app}` },
		body: new URLSearchParams({ grant_type: 'client_credentials' }),
	});
	const { access_token: token } = (await response.json()) as { access_token?: string };
	if (!token) throw new Error(`The token request failed with status ${response.status}`);
	return token;
}

/** Returns the time to send all orders, in milliseconds. */
export async function send(options: SendOptions): Promise<number> {
	const start = performance.now();
	await sendBare(options);
	return performance.now() - start;
}
