import type { Call } from '../operation';

/** What became of a call: it is under way where the execution was stopped before its answer came. */
export type Fate = 'done' | 'failed' | 'under way' | 'not sent';

const FATES: readonly Fate[] = ['done', 'failed', 'under way', 'not sent'];

/**
 * Says what became of each input item, where the node ends before all are done.
 *
 * @returns "Items done: 0–4, 6; failed: 5; not sent: 7–9 (of 10, counted from 0)."; an empty text if
 *   there was one call only
 */
export function describeRun(calls: readonly Call[], fateOf: (call: Call) => Fate): string {
	if (calls.length < 2) return '';
	const groups = FATES.map((fate) => {
		const ofThisFate = calls.filter((call) => fateOf(call) === fate);
		return { fate, itemIndexes: ofThisFate.flatMap((call) => call.itemIndexes) };
	});
	const words = groups
		.filter(({ itemIndexes }) => itemIndexes.length > 0)
		.map(({ fate, itemIndexes }) => `${fate}: ${describeIndexes(itemIndexes)}`);
	const total = groups.reduce((sum, { itemIndexes }) => sum + itemIndexes.length, 0);
	return `Items ${words.join('; ')} (of ${total}, counted from 0).`;
}

/** @returns "0–4, 6" */
function describeIndexes(itemIndexes: number[]): string {
	const ranges: Array<{ first: number; last: number }> = [];
	for (const index of itemIndexes.sort((a, b) => a - b)) {
		const range = ranges.at(-1);
		if (range?.last === index - 1) range.last = index;
		else ranges.push({ first: index, last: index });
	}
	return ranges
		.map(({ first, last }) => (first === last ? String(first) : `${first}–${last}`))
		.join(', ');
}
