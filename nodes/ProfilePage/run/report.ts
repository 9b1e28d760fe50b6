import type { Call } from '../resources/operation';

const STATUSES = ['succeeded', 'failed', 'in flight', 'not sent'] as const;

/** What became of a call. A cancellation aborts those in flight; a call that waited for a retry has failed. */
export type CallStatus = (typeof STATUSES)[number];

/**
 * Reports what became of the input items, where a node ends before all have succeeded. Returns a summary ("item 3 of
 * 300 failed; 257 were not sent") and details ("Succeeded: items 0–2; failed: item 3; …"), both without these lists for
 * a single call, and what to do before the workflow runs again.
 *
 * @param unknown the calls whose outcome is unknown, unless the message says so
 */
export function reportCalls(
	calls: readonly Call[],
	statusOf: (call: Call) => CallStatus,
	unknown: readonly Call[] = [],
): { summary: string; details: string } {
	const advice = [adviseOnUnknown(unknown), adviseOnRepetition(calls, statusOf)].filter(Boolean).join(' ');
	if (calls.length < 2) return { summary: '', details: advice };
	const itemsOf = (status: CallStatus) =>
		calls.filter((call) => statusOf(call) === status).flatMap(({ itemIndexes }) => itemIndexes);
	const failed = itemsOf('failed');
	const total = calls.flatMap(({ itemIndexes }) => itemIndexes).length;
	const summary = [
		// The editor appends "[item 3]" to a message without these words, in lower case.
		failed.length === 1 && `item ${failed[0]} of ${total} failed`,
		failed.length > 1 && `${failed.length} of ${total} items failed`,
		failed.length === 0 && `${itemsOf('succeeded').length} of ${total} items succeeded`,
		...(['in flight', 'not sent'] as const).map((status) => countItems(itemsOf(status), status)),
	];
	const details = STATUSES.map((status) => listItems(itemsOf(status), status));
	const text = details.filter(Boolean).join('; ');
	const counted = `${text.charAt(0).toUpperCase()}${text.slice(1)} (counted from 0).`;
	return { summary: summary.filter(Boolean).join('; '), details: `${counted} ${advice}`.trim() };
}

function adviseOnUnknown(calls: readonly Call[]): string {
	const items = calls.flatMap(({ itemIndexes }) => itemIndexes);
	if (items.length === 0) return '';
	return `${listItems(items, 'Unknown outcome')}. Look at your profile before you run the workflow again.`;
}

function adviseOnRepetition(calls: readonly Call[], statusOf: (call: Call) => CallStatus): string {
	const isHarmless = ({ isRepeatable, request }: Call) => isRepeatable ?? request.idempotent;
	const isRepeated = calls.some((call) => !isHarmless(call) && statusOf(call) === 'succeeded');
	const repetition = 'Running the workflow again repeats the items that succeeded.';
	return isRepeated ? repetition : '';
}

function countItems({ length }: number[], status: CallStatus): string {
	return length > 0 ? `${length} ${length === 1 ? 'was' : 'were'} ${status}` : '';
}

/** Returns "failed: items 0–4, 6", or an empty text if there are none. */
function listItems(items: number[], status: string): string {
	const ranges: Array<{ first: number; last: number }> = [];
	for (const item of items.sort((a, b) => a - b)) {
		const range = ranges.at(-1);
		if (range?.last === item - 1) range.last = item;
		else ranges.push({ first: item, last: item });
	}
	const texts = ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}–${last}`));
	if (items.length === 0) return '';
	return `${status}: ${items.length === 1 ? 'item' : 'items'} ${texts.join(', ')}`;
}
