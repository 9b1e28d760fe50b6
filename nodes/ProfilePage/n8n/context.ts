import type { IExecuteFunctions, ILoadOptionsFunctions, IPollFunctions } from 'n8n-workflow';

import { getOrCreate } from '../shared/values';

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

/**
 * Keeps a state for each run of a node, which `create` makes on first use. Returns a function that returns it: the same
 * for all tries of Retry On Fail.
 */
export function runState<T>(create: () => T): (context: IExecuteFunctions) => T {
	// n8n copies the input items for each run, but not for each try.
	const byFirstItem = new WeakMap<object, T>();
	return (context) => getOrCreate(byFirstItem, context.getInputData()[0] ?? {}, create);
}
