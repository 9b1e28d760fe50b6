import type { Call } from '../../nodes/ProfilePage/operation';
import { describeRun, type CallStatus } from '../../nodes/ProfilePage/execution/runReport';

/** Describes a run of calls that are made of these items and had these statuss. */
function describe(...statuss: Array<[CallStatus, ...number[]]>): string {
	const calls = statuss.map(([status, ...itemIndexes]) => ({ status, itemIndexes }));
	return describeRun(
		calls as unknown as Call[],
		(call) => (call as unknown as { status: CallStatus }).status,
	);
}

test('items are listed by what became of them, neighbours as ranges', () => {
	expect(
		describe(
			['done', 0],
			['done', 1],
			['failed', 2],
			['done', 3],
			['not sent', 4],
			['not sent', 5],
		),
	).toBe('Done: items 0–1, 3; failed: item 2; not sent: items 4–5 (of 6, counted from 0).');
});

test('the items of a call are listed together with those of others', () => {
	expect(describe(['done', 4, 0, 2], ['in flight', 1], ['done', 3])).toBe(
		'Done: items 0, 2–4; in flight: item 1 (of 5, counted from 0).',
	);
});

test('one call has nothing to list', () => {
	expect(describe(['failed', 0, 1])).toBe('');
});

test('many items are listed without delay', () => {
	const statuss = Array.from({ length: 20_000 }, (_, index): [CallStatus, number] => [
		index % 2 ? 'done' : 'not sent',
		index,
	]);
	expect(describe(...statuss)).toContain('19998 (of 20000');
});
