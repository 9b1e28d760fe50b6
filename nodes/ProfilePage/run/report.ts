import type { IExecuteFunctions } from 'n8n-workflow';

import type { ErrorDetails } from '../n8n/errors';
import { Failure } from '../shared/failure';
import { enumerate, joined } from '../shared/values';
import { isUncertain, type Ledger } from './ledger';
import { isValid, type Task } from './plan';

export interface Try {
	readonly context: IExecuteFunctions;
	readonly tasks: readonly Task[];
	readonly ledger: Ledger;
}

/**
 * Reports what became of several input items, if a node ends before all have succeeded: a summary ("item 3 of 300 failed;
 * 257 were not processed"), and details with what to do before the workflow runs again.
 *
 * @param failed the one that the error is about
 */
export function reportRun(thisTry: Try, failed?: Task): ErrorDetails {
	const { tasks, ledger } = thisTry;
	const total = indexesOf(tasks).length;
	// A credential or an option that is invalid is so for all items.
	const isOfAll = tasks.length === total && tasks.every(({ call }) => call === failed?.call);
	const details = adviceBeforeNextRun(thisTry, failed);
	if (total < 2 || isOfAll) return { details };
	const failedItems = tasks.flatMap((each) => failedItemsOf(each, ledger));
	const unsent = indexesOf(tasks.filter((each) => !ledger.get(each))).length;
	const named =
		failedItems.length === 1
			? `item ${failedItems[0]} of ${total} failed`
			: `${failedItems.length} of ${total} items failed`;
	// With "item 3" in lower case, the editor does not append its own "[item 3]".
	const summary = joined(
		'; ',
		failedItems.length > 0 ? named : `${total - unsent} of ${total} items succeeded`,
		unsent > 0 && `${unsent} ${unsent === 1 ? 'was' : 'were'} not processed`,
	);
	const counting =
		failedItems.length === 1 ? 'Items are counted from 0.' : `Failed: ${itemsAt(failedItems)}, counted from 0.`;
	return { summary, details: joined(' ', failedItems.length > 0 && counting, details) };
}

function indexesOf(tasks: readonly Task[]): number[] {
	return tasks.flatMap(({ indexes }) => indexes);
}

/** Returns the items of a call that failed: the one at fault, if that is known. */
function failedItemsOf(task: Task, ledger: Ledger): readonly number[] {
	const ending = ledger.get(task);
	if (!(ending instanceof Failure)) return [];
	const { itemIndex } = ending.data;
	return itemIndex === undefined ? task.indexes : [itemIndex];
}

/** Says what to look at before the workflow runs again, and what it would repeat. */
function adviceBeforeNextRun({ tasks, ledger }: Try, failed?: Task): string {
	// The error says it of its own items.
	const own = failed && isUncertain(ledger.get(failed)) ? failed.indexes : [];
	const unknown = ledger.unknownItems.filter((index) => !own.includes(index));
	const isRepeated = (task: Task) => {
		const ending = ledger.get(task);
		return ending && !(ending instanceof Failure) && isValid(task) && task.call.purpose.repeat === 'ifNotApplied';
	};
	const isUnsent = failed?.call instanceof Failure && !ledger.mayHaveChanged;
	return joined(
		' ',
		isUnsent &&
			tasks.length > 1 &&
			'Nothing was changed. To send the others, set On Error to Continue in the settings of the node.',
		unknown.length > 0 &&
			`Unknown outcome: ${itemsAt(unknown)}. Look at your profile before you run the workflow again.`,
		tasks.some(isRepeated) && 'Running the workflow again repeats the items that succeeded.',
	);
}

/** Returns "item 3", or "items 0, 4, 6". */
function itemsAt(indexes: number[]): string {
	return `${indexes.length === 1 ? 'item' : 'items'} ${enumerate(indexes.toSorted((a, b) => a - b))}`;
}

/** More hints than these would push the output off the screen. */
const MAX_HINTS = 3;

/** Shows the warnings and notes of all successes above the output, each once. */
export function showHints({ context, tasks, ledger }: Try): void {
	const results = tasks.flatMap((each) => {
		const ending = ledger.get(each);
		return ending && !(ending instanceof Failure) ? [ending] : [];
	});
	show(context, 'warning', new Set(results.flatMap(({ warnings = [] }) => warnings)));
	show(context, 'info', new Set(results.flatMap(({ notes = [] }) => notes)));
}

/** Shows a few messages one by one, and more as one summary. */
function show(context: IExecuteFunctions, type: 'warning' | 'info', messages: ReadonlySet<string>): void {
	const first = [...messages].slice(0, MAX_HINTS);
	const rest = messages.size - first.length;
	const more = `More ${type === 'warning' ? 'warnings' : 'notes'} like these: ${rest}.`;
	const shown = rest > 0 ? [joined(' ', ...first, more)] : first;
	for (const message of shown) context.addExecutionHints({ message: toHtml(message), type });
}

/** n8n shows hints as HTML, between tags, with links and pictures. A hint may contain texts from anywhere. */
function toHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
