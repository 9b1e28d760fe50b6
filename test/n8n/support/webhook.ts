import { request } from 'undici';

import type { N8n } from './n8n';
import type { Node } from './workflows';

/**
 * Builds a trigger that runs its workflow for each request.
 *
 * @param responseMode whether it responds with the output of the last node, or as soon as it receives
 *   the request
 */
export function webhook(path: string, responseMode: 'lastNode' | 'onReceived' = 'lastNode'): Node {
	return {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		parameters: {
			path,
			httpMethod: 'POST',
			responseMode,
			...(responseMode === 'lastNode' && { responseData: 'allEntries' }),
		},
	};
}

/**
 * Runs the workflow of a webhook.
 *
 * @param body available to the workflow as `$json.body`
 * @returns the items of the last node, as JSON
 */
export async function callWebhook(n8n: N8n, path: string, body: object = {}): Promise<string> {
	const response = await request(`${n8n.baseUrl}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	const text = await response.body.text();
	if (response.statusCode !== 200) throw new Error(`Webhook ${path}: ${response.statusCode} ${text}`);
	return text;
}
