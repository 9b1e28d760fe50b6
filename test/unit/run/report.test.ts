import type { Call } from '../../../nodes/ProfilePage/resources/operation';
import { Ledger } from '../../../nodes/ProfilePage/run/ledger';
import { report as reportCalls } from '../../../nodes/ProfilePage/run/report';
import { done, requestFailure, STOPPED } from '../../../nodes/ProfilePage/service/failure';
import { getProfile } from '../../support/requests';

type CallStatus = 'succeeded' | 'failed' | 'not sent' | 'unknown';

const endings = {
	succeeded: done({ items: [] }),
	failed: requestFailure('it failed', '', { outcome: 'not applied' }),
	'not sent': STOPPED,
	unknown: requestFailure('it failed', '', { purpose: { ...getProfile, method: 'POST' } }),
};

interface Given {
	status: CallStatus;
	indexes: number[];
	repeatable?: boolean;
}

function reportOn(given: Given[]) {
	const ledger = new Ledger();
	// A report reads nothing else of a call.
	const calls = given.map(({ indexes, repeatable = true }) => {
		const inputs = indexes.map((index) => ({ index }));
		return { inputs, purpose: { method: 'POST' }, repeatable } as unknown as Call;
	});
	for (const [index, call] of calls.entries()) ledger.add(call, endings[given[index]!.status]);
	return reportCalls(calls, ledger);
}

/** Reports on calls with these statuses and items. */
function report(...given: Array<[CallStatus, number, ...number[]]>) {
	return reportOn(given.map(([status, ...indexes]) => ({ status, indexes })));
}

describe('The details of a report', () => {
	test('list items by status, with adjacent items as ranges', () => {
		const { details } = report(
			['succeeded', 0],
			['succeeded', 1],
			['failed', 2],
			['succeeded', 3],
			['not sent', 4],
			['not sent', 5],
		);
		expect(details).toBe('Succeeded: items 0–1, 3; failed: item 2; not sent: items 4–5 (counted from 0).');
	});

	test('list the items of all calls with the same status together', () => {
		const { details } = report(['succeeded', 4, 0, 2], ['failed', 1], ['succeeded', 3]);
		expect(details).toBe('Succeeded: items 0, 2–4; failed: item 1 (counted from 0).');
	});
});

describe('The advice in a report', () => {
	test.each([
		[false, 'succeeded', 'Running the workflow again repeats the items that succeeded.'],
		[true, 'succeeded', ''],
		[false, 'failed', ''],
	] as const)('about a call that may run again (%p) and has %s is %j', (repeatable, status, details) => {
		expect(reportOn([{ indexes: [0], repeatable, status }])).toEqual({ summary: '', details });
	});

	test('lists the items whose outcome is unknown', () => {
		expect(report(['failed', 0], ['unknown', 1], ['unknown', 2]).details).toBe(
			'Failed: items 0–2 (counted from 0). Unknown outcome: items 1–2. Look at your profile before you run the workflow again.',
		);
	});
});

describe('The summary of a report', () => {
	test.each<[string, ...Array<[CallStatus, number, ...number[]]>]>([
		['item 2 of 6 failed; 2 were not sent', ['succeeded', 0, 1, 3], ['failed', 2], ['not sent', 4], ['not sent', 5]],
		['item 0 of 2 failed', ['failed', 0], ['succeeded', 1]],
		['2 of 3 items failed; 1 was not sent', ['failed', 0, 1], ['not sent', 2]],
		['1 of 3 items succeeded; 2 were not sent', ['succeeded', 0], ['not sent', 1, 2]],
	])('counts the items by status: %s', (summary, ...calls) => {
		expect(report(...calls).summary).toBe(summary);
	});
});

describe('A report', () => {
	test('on a single call is empty', () => {
		expect(report(['failed', 0, 1])).toEqual({ summary: '', details: '' });
	});

	test('on many items is fast', () => {
		const calls = Array.from({ length: 20_000 }, (_, index): [CallStatus, number] => [
			index % 2 ? 'succeeded' : 'not sent',
			index,
		]);
		const { summary, details } = report(...calls);
		expect(summary).toBe('10000 of 20000 items succeeded; 10000 were not sent');
		expect(details).toContain(', 19998 (counted from 0).');
	});

	test('on a call of very many items succeeds', () => {
		const [first = 0, ...others] = Array.from({ length: 300_000 }, (_, index) => index + 1);
		const calls: Given[] = [
			{ status: 'not sent', indexes: [0] },
			{ status: 'not sent', indexes: [first, ...others] },
		];
		expect(reportOn(calls).details).toBe('Not sent: items 0–300000 (counted from 0).');
	});
});
