import type { Call } from '../../../nodes/ProfilePage/resources/operation';
import { type CallStatus, reportCalls } from '../../../nodes/ProfilePage/run/report';

type CallWithStatus = Call & { status: CallStatus };

/** Reports on calls with these statuses and items. */
function report(...given: Array<[CallStatus, ...number[]]>) {
	const request = { idempotent: true };
	const calls = given.map(([status, ...itemIndexes]) => ({ status, itemIndexes, request }));
	// A report reads nothing else of a call.
	return reportCalls(calls as unknown as Call[], (call) => (call as CallWithStatus).status);
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
		const { details } = report(['succeeded', 4, 0, 2], ['in flight', 1], ['succeeded', 3]);
		expect(details).toBe('Succeeded: items 0, 2–4; in flight: item 1 (counted from 0).');
	});
});

describe('The advice in a report', () => {
	const call = (itemIndex: number, idempotent: boolean, isRepeatable?: boolean) =>
		({ itemIndexes: [itemIndex], request: { idempotent }, isRepeatable }) as unknown as Call;
	const REPEATS = 'Running the workflow again repeats the items that succeeded.';

	test.each([
		['a call that is not idempotent has succeeded', false, undefined, REPEATS],
		['an idempotent call has succeeded that must not be repeated', true, false, REPEATS],
		['the call may be repeated', false, true, ''],
	])('says that items would be repeated if %s', (_what, idempotent, isRepeatable, advice) => {
		const calls = [call(0, idempotent, isRepeatable)];
		expect(reportCalls(calls, () => 'succeeded')).toEqual({ summary: '', details: advice });
	});

	test('says nothing of calls that would be repeated and have not succeeded', () => {
		expect(reportCalls([call(0, false)], () => 'failed').details).toBe('');
	});

	test('lists the items whose outcome is unknown', () => {
		const calls = [call(0, true), call(1, true), call(2, true)];
		expect(reportCalls(calls, () => 'failed', calls.slice(1)).details).toBe(
			'Failed: items 0–2 (counted from 0). Unknown outcome: items 1–2. Look at your profile before you run the workflow again.',
		);
	});
});

describe('The summary of a report', () => {
	test.each<[string, ...Array<[CallStatus, ...number[]]>]>([
		['item 2 of 6 failed; 2 were not sent', ['succeeded', 0, 1, 3], ['failed', 2], ['not sent', 4], ['not sent', 5]],
		['item 0 of 2 failed', ['failed', 0], ['succeeded', 1]],
		['2 of 3 items failed; 1 was not sent', ['failed', 0, 1], ['not sent', 2]],
		[
			'1 of 4 items succeeded; 1 was in flight; 2 were not sent',
			['succeeded', 0],
			['in flight', 1],
			['not sent', 2, 3],
		],
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
		const itemIndexes = Array.from({ length: 300_000 }, (_, index) => index + 1);
		const request = { idempotent: true };
		const calls = [
			{ itemIndexes: [0], request },
			{ itemIndexes, request },
		] as unknown as Call[];
		expect(reportCalls(calls, () => 'not sent').details).toBe('Not sent: items 0–300000 (counted from 0).');
	});
});
