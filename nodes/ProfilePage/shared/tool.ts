import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * Whether the node runs as a tool of an AI agent. Its input item then contains the arguments of the model. What `$json` is
 * in expressions, only n8n knows.
 */
export function isTool(context: Pick<IExecuteFunctions, 'getNode'>): boolean {
	return context.getNode().type.endsWith('Tool');
}
