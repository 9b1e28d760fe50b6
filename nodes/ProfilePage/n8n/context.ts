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

/**
 * Returns a function that returns the state of a run of the node, which `create` makes when it is first asked for. The
 * state is found by the first input item: n8n copies the items for each run, but not for each try of Retry On Fail.
 * Without input, each call gets a state of its own.
 */
export function runState<T>(create: () => T) {
	return stateOf((context: Pick<IExecuteFunctions, 'getInputData'>) => context.getInputData()[0] ?? {}, create);
}

/**
 * Returns a function that returns the state of an execution, for all nodes and their runs, as in a loop. It is kept in this
 * process only: an execution that is retried, or continues after a long wait, begins anew.
 */
export function executionState<T>(create: () => T) {
	// n8n keeps this object for the execution. Nothing is stored in it.
	return stateOf((context: Pick<IExecuteFunctions, 'getContext'>) => context.getContext('flow'), create);
}

function stateOf<C, T>(keyOf: (context: C) => object, create: () => T): (context: C) => T {
	const states = new WeakMap<object, T>();
	return (context) => {
		const key = keyOf(context);
		const state = states.get(key) ?? create();
		states.set(key, state);
		return state;
	};
}
