import type { Call } from '../../nodes/ProfilePage/operation';
import { describeRun, type Fate } from '../../nodes/ProfilePage/run/runReport';

/** Describes a run of calls that are made of these items and had these fates. */
function describe(...fates: Array<[Fate, ...number[]]>): string {
	const calls = fates.map(([fate, ...itemIndexes]) => ({ fate, itemIndexes }));
	return describeRun(
		calls as unknown as Call[],
		(call) => (call as unknown as { fate: Fate }).fate,
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
	).toBe('Items done: 0–1, 3; failed: 2; not sent: 4–5 (of 6, counted from 0).');
});

test('the items of a call are listed together with those of others', () => {
	expect(describe(['done', 4, 0, 2], ['under way', 1], ['done', 3])).toBe(
		'Items done: 0, 2–4; under way: 1 (of 5, counted from 0).',
	);
});

test('one call has nothing to list', () => {
	expect(describe(['failed', 0, 1])).toBe('');
});

test('many items are listed without delay', () => {
	const fates = Array.from({ length: 20_000 }, (_, index): [Fate, number] => [
		index % 2 ? 'done' : 'not sent',
		index,
	]);
	expect(describe(...fates)).toContain('19998 (of 20000');
});
