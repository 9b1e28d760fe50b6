import type { Call } from '../operation';

/** What became of a call: it is in flight where the execution was stopped before its answer came. */
export type CallStatus = 'done' | 'failed' | 'in flight' | 'not sent';

const STATUSES: readonly CallStatus[] = ['done', 'failed', 'in flight', 'not sent'];

/**
 * Says what became of each input item, where the node ends before all are done.
 *
 * @returns "Done: items 0–4, 6; failed: item 5; not sent: items 7–9 (of 10, counted from 0)."; an empty
 *   text if there was one call only
 */
export function describeRun(calls: readonly Call[], statusOf: (call: Call) => CallStatus): string {
	if (calls.length < 2) return '';
	const groups = STATUSES.map((status) => {
		const ofThisStatus = calls.filter((call) => statusOf(call) === status);
		return { status, itemIndexes: ofThisStatus.flatMap((call) => call.itemIndexes) };
	});
	const words = groups
		.filter(({ itemIndexes }) => itemIndexes.length > 0)
		.map(({ status, itemIndexes }) => `${status}: ${describeIndexes(itemIndexes)}`)
		.join('; ');
	const total = groups.reduce((sum, { itemIndexes }) => sum + itemIndexes.length, 0);
	return `${words.charAt(0).toUpperCase()}${words.slice(1)} (of ${total}, counted from 0).`;
}

/** @returns "items 0–4, 6" or "item 5" */
function describeIndexes(itemIndexes: number[]): string {
	const ranges: Array<{ first: number; last: number }> = [];
	for (const index of itemIndexes.sort((a, b) => a - b)) {
		const range = ranges.at(-1);
		if (range?.last === index - 1) range.last = index;
		else ranges.push({ first: index, last: index });
	}
	const words = ranges
		.map(({ first, last }) => (first === last ? String(first) : `${first}–${last}`))
		.join(', ');
	return `${itemIndexes.length === 1 ? 'item' : 'items'} ${words}`;
}
