import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { type Outcome, PreviousTries } from '../../nodes/ProfilePage/execution/previousTries';

interface Try {
	items?: INodeExecutionData[];
	node?: string;
	executionId?: string;
	runIndex?: number;
	retryOnFail?: boolean;
}

/** Begins a try of a node as n8n does: with Retry On Fail, each try gets the same item objects. */
function begin({
	items = [],
	node = 'Profile Page',
	executionId = '1',
	runIndex = 0,
	retryOnFail = true,
}: Try): PreviousTries {
	const context = {
		getInputData: () => items,
		getNode: () => ({ name: node, retryOnFail }),
		getExecutionId: () => executionId,
		getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
	};
	return new PreviousTries(context as unknown as IExecuteFunctions);
}

const outcome: Outcome = { items: [{ json: { id: 1 } }] };

let items: INodeExecutionData[];
beforeEach(() => (items = [{ json: {} }, { json: {} }]));

test('the next try of a node gets the outcome of a call', () => {
	begin({ items }).remember([0], outcome);
	expect(begin({ items }).outcomeOf([0])).toBe(outcome);
	expect(begin({ items }).outcomeOf([1])).toBeUndefined();
});

test('outcomes are kept for all tries of a node', () => {
	begin({ items }).remember([0], outcome);
	begin({ items }).remember([1], { error: 'unknown' });
	const third = begin({ items });
	expect([third.outcomeOf([0]), third.outcomeOf([1])]).toEqual([outcome, { error: 'unknown' }]);
});

test('a call that may have been applied has no outcome, but the next try knows about it', () => {
	begin({ items }).remember([0], 'may be applied');
	const next = begin({ items });
	expect(next.outcomeOf([0])).toBeUndefined();
	expect([next.mayBeApplied([0]), next.mayBeApplied([1])]).toEqual([true, false]);
	next.remember([0], outcome);
	expect(next.mayBeApplied([0])).toBe(false);
});

test('calls are distinguished by all of their items', () => {
	begin({ items }).remember([1, 12], outcome);
	const next = begin({ items });
	expect(next.outcomeOf([1, 12])).toBe(outcome);
	for (const other of [[1], [12], [11, 2], [1, 1, 2], [112]]) {
		expect(next.outcomeOf(other)).toBeUndefined();
	}
});

test.each<[string, Try]>([
	['another execution', { executionId: '2' }],
	['another node', { node: 'Profile Page1' }],
	['another run of the node, as in a loop,', { runIndex: 1 }],
	['a node with other items, even if they are equal,', { items: [{ json: {} }, { json: {} }] }],
	['a node without Retry On Fail', { retryOnFail: false }],
])('%s gets no outcome of a previous try', (_what, change) => {
	begin({ items }).remember([0], outcome);
	expect(begin({ items, ...change }).outcomeOf([0])).toBeUndefined();
});

test('no outcome is kept without Retry On Fail or without items', () => {
	begin({ items, retryOnFail: false }).remember([0], outcome);
	begin({ items: [] }).remember([0], outcome);
	expect(begin({ items }).outcomeOf([0])).toBeUndefined();
	expect(begin({ items: [] }).outcomeOf([0])).toBeUndefined();
});

test('clearing removes the outcomes of this run of the node and no others', () => {
	begin({ items, runIndex: 1 }).remember([0], outcome);
	const tries = begin({ items });
	tries.remember([0], outcome);
	tries.clear();
	expect(begin({ items }).outcomeOf([0])).toBeUndefined();
	expect(begin({ items, runIndex: 1 }).outcomeOf([0])).toBe(outcome);
});
