import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * Returns a function that returns the state of a run of the node, which `create` makes when it is first asked for. The
 * state is found by the first input item: n8n copies the items for each run, but not for each try of Retry On Fail.
 * Without input, each call gets a state of its own.
 */
export function runState<T>(create: () => T): (context: Pick<IExecuteFunctions, 'getInputData'>) => T {
	const states = new WeakMap<object, T>();
	return (context) => {
		const [item = {}] = context.getInputData();
		const state = states.get(item) ?? create();
		states.set(item, state);
		return state;
	};
}

/**
 * Returns a function that returns the state of an execution, for all nodes and their runs, as in a loop. It is kept in this
 * process only: an execution that is retried, or continues after a long wait, begins anew.
 */
export function executionState<T>(create: () => T): (context: Pick<IExecuteFunctions, 'getContext'>) => T {
	const states = new WeakMap<object, T>();
	return (context) => {
		// n8n keeps this object for the execution. Nothing is stored in it.
		const execution = context.getContext('flow');
		const state = states.get(execution) ?? create();
		states.set(execution, state);
		return state;
	};
}
