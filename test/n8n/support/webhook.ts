import type { N8n } from './n8n';
import { requestN8n } from './rest';
import { chain, type Node } from './workflows';

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
	return (await requestN8n('POST', `${n8n.baseUrl}/webhook/${path}`, body)).text;
}

/** Publishes a workflow in which these nodes follow a webhook with this path. Returns its ID, and what runs it. */
export async function publish(n8n: N8n, path: string, nodes: Node[], responseMode?: 'lastNode' | 'onReceived') {
	const workflow = await n8n.rest.createWorkflow(chain(path, webhook(path, responseMode), ...nodes));
	await n8n.rest.activate(workflow);
	return { id: workflow.id, run: async (body?: object) => await callWebhook(n8n, path, body) };
}

export type Published = Awaited<ReturnType<typeof publish>>;
