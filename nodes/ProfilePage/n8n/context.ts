import type { IExecuteFunctions, ILoadOptionsFunctions, IPollFunctions } from 'n8n-workflow';

/** What n8n passes to a node that runs, to a list that the editor loads, or to a trigger. */
export type NodeContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** Returns the context with some properties replaced. */
export function derive<T extends NodeContext>(context: T, properties: object): T {
	return Object.create(context, Object.getOwnPropertyDescriptors(properties)) as T;
}

/**
 * Whether the node runs as a tool of an AI agent. Its input item then contains the arguments of the model. What `$json` is
 * in expressions, only n8n knows.
 */
export function isTool(context: Pick<IExecuteFunctions, 'getNode'>): boolean {
	return context.getNode().type.endsWith('Tool');
}
