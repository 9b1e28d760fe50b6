import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { executionState, runState } from '../../../nodes/ProfilePage/n8n/context';

/** Returns a counter, for states that differ. */
function counting() {
	let count = 0;
	return () => (count += 1);
}

describe('The state of a run', () => {
	const runAt = ($runIndex: number, ...items: INodeExecutionData[]) =>
		({
			getInputData: () => items,
			getNode: () => ({ name: 'Profile Page' }),
			getExecutionId: () => '1',
			getWorkflowDataProxy: () => ({ $runIndex }),
		}) as unknown as IExecuteFunctions;
	const run = (...items: INodeExecutionData[]) => runAt(0, ...items);

	test('is the same for all tries, which get the same items', () => {
		const stateOf = runState(counting());
		const items = [{ json: {} }, { json: {} }];
		expect([stateOf(run(...items)), stateOf(run(...items))]).toEqual([1, 1]);
	});

	test('is another one for another run, even if its items are equal', () => {
		const stateOf = runState(counting());
		expect([stateOf(run({ json: {} })), stateOf(run({ json: {} }))]).toEqual([1, 2]);
		const item = { json: {} };
		expect([stateOf(runAt(0, item)), stateOf(runAt(1, item)), stateOf(runAt(0, item))]).toEqual([3, 4, 3]);
	});

	test('is a new one each time without input', () => {
		const stateOf = runState(counting());
		expect([stateOf(run()), stateOf(run())]).toEqual([1, 2]);
	});

	test('is not shared between kinds of states', () => {
		const [one, other] = [runState(() => 'a'), runState(() => 'b')];
		const item = { json: {} };
		expect([one(run(item)), other(run(item))]).toEqual(['a', 'b']);
	});
});

describe('The state of a node in an execution', () => {
	/** n8n keeps an object for each node. */
	const node = (kept: object) => ({ getContext: () => kept as never });

	test('is the same for all its runs, and another one for another node or execution', () => {
		const stateOf = executionState(counting());
		const kept = {};
		expect([stateOf(node(kept)), stateOf(node(kept)), stateOf(node({}))]).toEqual([1, 1, 2]);
		expect(kept).toEqual({});
	});
});
