import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { type Ending, EarlierTries } from '../../../nodes/ProfilePage/run/earlierTries';

interface Try {
	items?: INodeExecutionData[];
	node?: string;
	executionId?: string;
	runIndex?: number;
}

/** Begins a try of a node as n8n does: with Retry On Fail, each try gets the same item objects. */
function begin({ items = [], node = 'Profile Page', executionId = '1', runIndex = 0 }: Try): EarlierTries {
	const context = {
		getInputData: () => items,
		getNode: () => ({ name: node }),
		getExecutionId: () => executionId,
		getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
	};
	return EarlierTries.of(context as unknown as IExecuteFunctions);
}

const ending: Ending = { items: [{ json: { id: 1 } }] };

let items: INodeExecutionData[];
beforeEach(() => (items = [{ json: {} }, { json: {} }]));

test('the next try of a node gets the ending of a call', () => {
	begin({ items }).remember([0], ending);
	expect(begin({ items }).endingOf([0])).toBe(ending);
	expect(begin({ items }).endingOf([1])).toBeUndefined();
});

test('endings are kept for all tries of a node', () => {
	begin({ items }).remember([0], ending);
	begin({ items }).remember([1], { error: 'unknown' });
	const third = begin({ items });
	expect([third.endingOf([0]), third.endingOf([1])]).toEqual([ending, { error: 'unknown' }]);
});

test('a call that may have been applied has no ending, but the next try knows about it', () => {
	begin({ items }).remember([0], 'may be applied');
	const next = begin({ items });
	expect(next.endingOf([0])).toBeUndefined();
	expect([next.historyOf([0]), next.historyOf([1])]).toEqual(['may be applied', 'not sent']);
	next.remember([0], ending);
	expect(next.historyOf([0])).toBe('not sent');
});

test('calls are distinguished by all of their items', () => {
	begin({ items }).remember([1, 12], ending);
	const next = begin({ items });
	expect(next.endingOf([1, 12])).toBe(ending);
	for (const other of [[1], [12], [11, 2], [1, 1, 2], [112]] as const) {
		expect(next.endingOf(other)).toBeUndefined();
	}
});

test.each<[string, Try]>([
	['another execution', { executionId: '2' }],
	['another node', { node: 'Profile Page1' }],
	['another run of the node, as in a loop,', { runIndex: 1 }],
	['a node with other items, even if they are equal,', { items: [{ json: {} }, { json: {} }] }],
])('%s gets no ending of a previous try', (_what, change) => {
	begin({ items }).remember([0], ending);
	expect(begin({ items, ...change }).endingOf([0])).toBeUndefined();
});

test('no ending is kept without items', () => {
	begin({ items: [] }).remember([0], ending);
	expect(begin({ items: [] }).endingOf([0])).toBeUndefined();
});

test('clearing removes the endings of this run of the node and no others', () => {
	begin({ items, runIndex: 1 }).remember([0], ending);
	const tries = begin({ items });
	tries.remember([0], ending);
	tries.clear();
	expect(begin({ items }).endingOf([0])).toBeUndefined();
	expect(begin({ items, runIndex: 1 }).endingOf([0])).toBe(ending);
});

describe('A credential', () => {
	test('is another one if its identity is not that of the first try, for the same item', () => {
		const first = begin({ items });
		expect(first.isOther({ itemIndex: 0, identity: 'a' })).toBe(false);
		expect(first.isOther({ itemIndex: 1, identity: 'b' })).toBe(false);
		const second = begin({ items });
		expect(second.isOther({ itemIndex: 0, identity: 'b' })).toBe(true);
		expect(second.isOther({ itemIndex: 1, identity: 'b' })).toBe(false);
		expect(begin({ items }).isOther({ itemIndex: 0, identity: 'a' })).toBe(false);
	});

	test('is not compared with that of another run of the node', () => {
		begin({ items }).isOther({ itemIndex: 0, identity: 'a' });
		expect(begin({ items, runIndex: 1 }).isOther({ itemIndex: 0, identity: 'b' })).toBe(false);
	});
});
