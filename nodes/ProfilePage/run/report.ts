import type { IExecuteFunctions } from 'n8n-workflow';

import type { ErrorDetails } from '../n8n/errors';
import { messageOf, sentence } from '../n8n/words';
import { enumerate, joined } from '../shared/values';
import { type Entry, isUncertain, type Ledger } from './ledger';

/**
 * Reports what became of the input items, if a node ends before all have succeeded, and what to do before the workflow runs
 * again.
 *
 * @param failed what the error is about, which says itself whether its outcome is unknown
 */
export function reportRun(context: IExecuteFunctions, ledger: Ledger, failed?: Entry): ErrorDetails {
	const unknown = ledger.itemsWith((each) => each !== failed && isUncertain(each.failure));
	const details = joined(
		' ',
		unknown.length > 0 && `Unknown outcome: ${named(unknown)}. Look at your profile before you run the workflow again.`,
		ledger.entries.some(wouldBeRepeated) && 'Running the workflow again repeats the items that succeeded.',
	);
	const total = context.getInputData().length;
	// An invalid credential or option is so for all items.
	const isOfAll =
		ledger.itemsWith(({ failure }) => failure !== undefined && failure === failed?.failure).length === total;
	if (total === 1 || isOfAll) return { details };
	return {
		summary: summarize(total, ledger),
		details: joined(' ', 'Items are counted from 0.', details),
		itemIndex: failed && itemIndexOf(failed),
	};
}

/** Returns what became of several items, such as "item 3 of 300 failed; 257 were not processed". */
function summarize(total: number, ledger: Ledger): string {
	const failed = ledger.itemsWith(({ failure }) => failure !== undefined);
	const unsent = total - ledger.itemsWith(() => true).length;
	// With "item 3" in lower case, the editor does not append its own "[item 3]".
	return joined(
		'; ',
		failed.length === 1 && `${named(failed)} of ${total} failed`,
		failed.length > 1 && `${failed.length} of ${total} items failed`,
		failed.length === 0 && `${total - unsent} of ${total} items succeeded`,
		unsent > 0 && `${unsent} ${unsent === 1 ? 'was' : 'were'} not processed`,
	);
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

/** Shows above the output how many items failed, and the warnings and notes of all successes, each once. */
export function showHints(context: IExecuteFunctions, ledger: Ledger): void {
	const results = ledger.entries.flatMap(({ result }) => result ?? []);
	const failures = warnOfFailures(context.getInputData().length, ledger);
	show(context, 'warning', [...failures, ...results.flatMap(({ warnings }) => warnings ?? [])]);
	const notes = results.flatMap((result) => result.notes ?? []);
	show(context, 'info', notes);
}

/** Says how many of several items failed, and why the first one did. */
function warnOfFailures(total: number, ledger: Ledger): string[] {
	const first = ledger.entries.find(({ failure }) => failure);
	if (total === 1 || !first?.failure) return [];
	const reason = `item ${itemIndexOf(first)}: ${messageOf(first.failure)}`;
	return [`${sentence(summarize(total, ledger))} ${sentence(reason)}`];
}

function show(context: IExecuteFunctions, type: 'warning' | 'info', messages: readonly string[]): void {
	const different = [...new Set(messages)];
	const rest = different.length - MAX_HINTS;
	const more = rest > 0 ? [`More messages like these: ${rest}.`] : [];
	for (const message of [...different.slice(0, MAX_HINTS), ...more]) {
		context.addExecutionHints({ message: toHtml(message), type });
	}
}

/** n8n shows hints as HTML, between tags, with links and pictures. A hint may contain texts from anywhere. */
function toHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
