import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * Returns a function that returns the state of an execution, which `create` makes when it is first asked for. The state
 * is found by the first input item, which lives as long as its execution: with Retry On Fail, n8n runs the whole node
 * again for the same items. Without input, each call gets a state of its own.
 */
export function executionState<T>(
	create: () => T,
): (context: Pick<IExecuteFunctions, 'getInputData'>) => T {
	const states = new WeakMap<object, T>();
	return (context) => {
		const [item = {}] = context.getInputData();
		const state = states.get(item) ?? create();
		states.set(item, state);
		return state;
	};
}
