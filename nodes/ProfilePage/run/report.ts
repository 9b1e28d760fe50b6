import type { IExecuteFunctions } from 'n8n-workflow';

import type { ErrorDetails } from '../n8n/errors';
import { enumerate, joined } from '../shared/values';
import { type Entry, isUncertain, type Ledger } from './ledger';

/**
 * Reports what became of the input items, if a node ends before all have succeeded: a summary ("item 3 of 300 failed; 257
 * were not processed"), and what to do before the workflow runs again.
 *
 * @param failed what the error is about, which says itself whether its outcome is unknown
 */
export function reportRun(total: number, { entries }: Ledger, failed?: Entry): ErrorDetails {
	const failedItems = itemsOf(entries.filter(({ failure }) => failure));
	const unknownItems = itemsOf(entries.filter((each) => each !== failed && isUncertain(each.failure)));
	const unsent = total - itemsOf(entries).length;
	const details = joined(
		' ',
		unknownItems.length > 0 &&
			`Unknown outcome: ${named(unknownItems)}. Look at your profile before you run the workflow again.`,
		entries.some(wouldBeRepeated) && 'Running the workflow again repeats the items that succeeded.',
	);
	// An invalid credential or option is so for all items.
	const isOfAll = failedItems.length === total && entries.every(({ failure }) => failure === failed?.failure);
	if (total === 1 || isOfAll) return { details };
	// With "item 3" in lower case, the editor does not append its own "[item 3]".
	const summary = joined(
		'; ',
		failedItems.length === 1 && `${named(failedItems)} of ${total} failed`,
		failedItems.length > 1 && `${failedItems.length} of ${total} items failed`,
		failedItems.length === 0 && `${total - unsent} of ${total} items succeeded`,
		unsent > 0 && `${unsent} ${unsent === 1 ? 'was' : 'were'} not processed`,
	);
	return {
		summary,
		details: joined(' ', 'Items are counted from 0.', details),
		itemIndex: failed && itemIndexOf(failed),
	};
}

function itemsOf(entries: readonly Entry[]): number[] {
	return entries.flatMap(({ indexes }) => indexes);
}

/** Returns "item 3", or "items 0, 4, 6". */
function named(items: readonly number[]): string {
	return `${items.length === 1 ? 'item' : 'items'} ${enumerate(items)}`;
}

/** Whether a success is one that another run would repeat, such as the creation of a link. */
function wouldBeRepeated({ call, result }: Entry): boolean {
	return result !== undefined && call?.purpose.repeat === 'ifNotApplied' && !call.looksFirst;
}

/** Returns the index of the item at fault, or of the first one. */
export function itemIndexOf({ indexes: [first = 0], failure }: Entry): number {
	return failure?.data.itemIndex ?? first;
}

/** More hints than these would push the output off the screen. */
const MAX_HINTS = 3;

/** Shows the warnings and notes of all successes above the output, each once. */
export function showHints(context: IExecuteFunctions, { entries }: Ledger): void {
	show(context, 'warning', new Set(entries.flatMap(({ result }) => result?.warnings ?? [])));
	show(context, 'info', new Set(entries.flatMap(({ result }) => result?.notes ?? [])));
}

function show(context: IExecuteFunctions, type: 'warning' | 'info', messages: ReadonlySet<string>): void {
	const first = [...messages].slice(0, MAX_HINTS);
	const rest = messages.size - first.length;
	const more = rest > 0 ? [`More messages like these: ${rest}.`] : [];
	for (const message of [...first, ...more]) context.addExecutionHints({ message: toHtml(message), type });
}

/** n8n shows hints as HTML, between tags, with links and pictures. A hint may contain texts from anywhere. */
function toHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
