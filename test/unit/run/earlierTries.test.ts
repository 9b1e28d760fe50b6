import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Call } from '../../../nodes/ProfilePage/resources/operation';
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

/** A call of these items, with the key of what it changes. */
function call(itemIndexes: Call['itemIndexes'], concurrencyKey?: string, idempotent = true): Call {
	return { itemIndexes, concurrencyKey, request: { idempotent }, read: () => ({ items: [] }) } as unknown as Call;
}

function endingOf(tries: EarlierTries, itemIndexes: Call['itemIndexes']): Ending | undefined {
	return [...tries.endingsOf([call(itemIndexes)]).values()][0];
}

const ending: Ending = { items: [{ json: { id: 1 } }] };

let items: INodeExecutionData[];
beforeEach(() => (items = [{ json: {} }, { json: {} }]));

test('the next try of a node gets the ending of a call', () => {
	begin({ items }).remember([0], ending);
	expect(endingOf(begin({ items }), [0])).toBe(ending);
	expect(endingOf(begin({ items }), [1])).toBeUndefined();
});

test('endings are kept for all tries of a node', () => {
	begin({ items }).remember([0], ending);
	begin({ items }).remember([1], { error: 'unknown' });
	const third = begin({ items });
	expect([endingOf(third, [0]), endingOf(third, [1])]).toEqual([ending, { error: 'unknown' }]);
});

test('a call that may have been applied has no ending, but the next try knows about it', () => {
	begin({ items }).remember([0], 'may be applied');
	const next = begin({ items });
	expect(endingOf(next, [0])).toBeUndefined();
	expect([next.historyOf([0]), next.historyOf([1])]).toEqual(['may be applied', 'not sent']);
	next.remember([0], ending);
	expect(next.historyOf([0])).toBe('not sent');
});

describe('A call that succeeded', () => {
	beforeEach(() => begin({ items }).remember([1], ending));
	const endingsOf = (...calls: Call[]) => [...begin({ items }).endingsOf(calls).keys()];

	test('is sent again, as one that may have been applied, if one for the same thing is sent again before it', () => {
		expect(endingsOf(call([0], 'page'), call([1], 'page'))).toEqual([]);
		expect(begin({ items }).historyOf([1])).toBe('may be applied');
	});

	test.each<[string, Call, Call]>([
		['for another thing', call([0], 'page'), call([1], 'other')],
		['for nothing in particular', call([0]), call([1])],
		['that is not idempotent', call([0], 'page'), call([1], 'page', false)],
		['before the one that is sent again', call([2], 'other'), call([1], 'page')],
	])('is not sent again if it is one %s', (_which, sentAgain, succeeded) => {
		expect(endingsOf(sentAgain, succeeded, call([3], 'page'))).toEqual([succeeded]);
		expect(begin({ items }).historyOf([1])).toBe('not sent');
	});

	test('is not sent again if the one before it succeeded too', () => {
		begin({ items }).remember([0], ending);
		expect(endingsOf(call([0], 'page'), call([1], 'page'))).toHaveLength(2);
	});
});

test('calls are distinguished by all of their items', () => {
	begin({ items }).remember([1, 12], ending);
	const next = begin({ items });
	expect(endingOf(next, [1, 12])).toBe(ending);
	for (const other of [[1], [12], [11, 2], [1, 1, 2], [112]] as const) {
		expect(endingOf(next, other)).toBeUndefined();
	}
});

test.each<[string, Try]>([
	['another execution', { executionId: '2' }],
	['another node', { node: 'Profile Page1' }],
	['another run of the node, as in a loop,', { runIndex: 1 }],
	['a node with other items, even if they are equal,', { items: [{ json: {} }, { json: {} }] }],
])('%s gets no ending of a previous try', (_what, change) => {
	begin({ items }).remember([0], ending);
	expect(endingOf(begin({ items, ...change }), [0])).toBeUndefined();
});

test('no ending is kept without items', () => {
	begin({ items: [] }).remember([0], ending);
	expect(endingOf(begin({ items: [] }), [0])).toBeUndefined();
});

test('clearing removes the endings of this run of the node and no others', () => {
	begin({ items, runIndex: 1 }).remember([0], ending);
	const tries = begin({ items });
	tries.remember([0], ending);
	tries.clear();
	expect(endingOf(begin({ items }), [0])).toBeUndefined();
	expect(endingOf(begin({ items, runIndex: 1 }), [0])).toBe(ending);
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
