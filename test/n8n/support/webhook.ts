import { request } from 'undici';

import type { N8n } from './n8n';
import type { Node } from './workflows';

/**
 * A trigger that runs its workflow when a request comes in, and answers with what the last node puts
 * out.
 */
export function webhook(path: string): Node {
	return {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		parameters: {
			path,
			httpMethod: 'POST',
			responseMode: 'lastNode',
			responseData: 'allEntries',
		},
	};
}

/**
 * Runs the workflow that begins with this webhook.
 *
 * @param body what the workflow finds under `$json.body`
 * @returns the text of the answer: the items of the last node as JSON
 */
export async function callWebhook(n8n: N8n, path: string, body: object = {}): Promise<string> {
	const answer = await request(`${n8n.baseUrl}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	const text = await answer.body.text();
	if (answer.statusCode !== 200) throw new Error(`Webhook ${path}: ${answer.statusCode} ${text}`);
	return text;
}
