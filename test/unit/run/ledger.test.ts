import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Call } from '../../../nodes/ProfilePage/resources/operation';
import { Ledger, ledgerOf } from '../../../nodes/ProfilePage/run/ledger';
import { done, requestFailure, STOPPED } from '../../../nodes/ProfilePage/service/failure';

const success = done({ items: [{ json: { id: 1 } }] });
const purpose = { idempotent: true } as Call['purpose'];
const creation = { idempotent: false } as Call['purpose'];
const unknown = requestFailure('the connection broke', '', { purpose });
const rejected = requestFailure('it was rejected', '', { outcome: 'not applied', purpose });
const busy = requestFailure('the service is busy', '', { outcome: 'not applied', purpose });

/** Returns a call for these items. A ledger reads nothing else of it. */
const callOf = (indexes: readonly number[], others: Partial<Call> = {}) =>
	({ inputs: indexes.map((index) => ({ index })), purpose, repeatable: true, ...others }) as unknown as Call;
const call = callOf([0]);

describe('The ledger of a run', () => {
	/** Starts a try of a node as n8n does: with Retry On Fail, each try gets the same item objects. */
	function start(items: INodeExecutionData[], retryOnFail = true, runIndex = 0): Ledger {
		return ledgerOf({
			getInputData: () => items,
			getNode: () => ({ name: 'Profile Page', retryOnFail }),
			getExecutionId: () => '1',
			getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
		} as unknown as IExecuteFunctions);
	}

	test('is the same for all tries, and another one for another run', () => {
		const items = [{ json: {} }];
		expect(start(items)).toBe(start(items));
		expect(start(items, true, 1)).not.toBe(start(items));
		expect(start([{ json: {} }])).not.toBe(start(items));
	});

	test('is a new one for each try without Retry On Fail or without input', () => {
		const items = [{ json: {} }];
		expect(start(items, false)).not.toBe(start(items, false));
		expect(start([])).not.toBe(start([]));
	});
});

describe('A ledger', () => {
	let ledger: Ledger;
	beforeEach(() => (ledger = new Ledger()));

	test('distinguishes calls by all of their items', () => {
		ledger.add(callOf([1, 12]), success);
		expect(ledger.get(callOf([1, 12]))).toBe(success);
		for (const other of [[1], [12], [11, 2], [1, 1, 2], [112]] as const) {
			expect(ledger.get(callOf(other))).toBeUndefined();
		}
	});

	test('replaces a failure that certainly changed nothing by that of the next try', () => {
		ledger.add(call, busy);
		expect(ledger.add(call, rejected)).toEqual(rejected);
	});

	test('says that it is unknown what became of a call that succeeded, if it fails when it is sent again', () => {
		ledger.add(call, success);
		expect(ledger.add(call, rejected)).toEqual({ ...rejected, outcome: 'unknown', wanted: purpose });
	});

	test('keeps an unknown outcome, and what its request was for, if that is not applied in later tries', () => {
		ledger.add(call, { ...unknown, purpose: creation });
		for (const failure of [rejected, STOPPED, busy]) {
			const known = { ...failure, outcome: 'unknown', wanted: creation };
			expect(ledger.add(call, failure)).toEqual(known);
			expect(ledger.failureOf(call)).toEqual(known);
		}
	});

	test('replaces an unknown outcome by a success', () => {
		ledger.add(call, unknown);
		expect(ledger.add(call, success)).toBe(success);
		expect(ledger.failureOf(call)).toBeUndefined();
	});
});

test.each([
	['has not ended', true, undefined],
	['has succeeded', false, success],
	['was rejected', true, rejected],
	['was not sent', true, STOPPED],
	['may have been applied and is idempotent', true, unknown],
	['may have been applied and is not idempotent', false, { ...unknown, purpose: creation }],
	['may have been applied in an earlier try and is not idempotent', false, { ...unknown, wanted: creation }],
	['may have been applied and has no known request', false, requestFailure('it failed')],
])('A call that %s is left to send: %p', (_what, expected, ended) => {
	const ledger = new Ledger();
	if (ended) ledger.add(call, ended);
	expect(ledger.leftOf([call])).toEqual(expected ? [call] : []);
});

test('A call that succeeded is left only if it is idempotent and follows one with its key that is left', () => {
	const calls = [
		callOf([0], { key: 'a' }),
		callOf([1], { key: 'a' }),
		callOf([2], { key: 'a' }),
		callOf([3], { key: 'a', purpose: creation }),
		callOf([4], { key: 'b' }),
		callOf([5]),
		callOf([6]),
	];
	const ledger = new Ledger();
	for (const each of calls) ledger.add(each, [1, 5].includes(each.inputs[0].index) ? rejected : success);
	expect(ledger.leftOf(calls).map(({ inputs: [{ index }] }) => index)).toEqual([1, 2, 5]);
});
