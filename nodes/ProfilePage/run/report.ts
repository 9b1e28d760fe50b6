import type { IExecuteFunctions } from 'n8n-workflow';

import type { ErrorDetails } from '../n8n/errors';
import { joined, quotable } from '../shared/values';
import type { Ledger } from './ledger';
import type { Ending } from './perform';
import { isValid, type Task } from './plan';

export interface Try {
	readonly context: IExecuteFunctions;
	readonly tasks: readonly Task[];
	readonly ledger: Ledger;
	readonly isPreview?: boolean;
}

/**
 * Reports what became of the input items, if a node ends before all have succeeded: a summary ("item 3 of 300 failed; 257
 * were not sent"), and details with what to do before the workflow runs again. If nothing else was sent, there is nothing
 * to report.
 *
 * @param thrown the one that the error is about
 */
export function reportRun(thisTry: Try, thrown?: Task): ErrorDetails {
	const { tasks, ledger } = thisTry;
	if (!tasks.some((each) => each !== thrown && ledger.get(each))) return reportAlone(tasks, ledger, thrown);
	const advice = adviceBeforeNextRun(thisTry, thrown);
	if (itemsOf(tasks).length < 2) return { details: advice };
	const itemsThat = (...states: string[]) => itemsOf(tasks.filter((each) => states.includes(ledger.stateOf(each))));
	const [succeeded, failed, unsent] = [itemsThat('succeeded'), itemsThat('failed', 'unknown'), itemsThat('not sent')];
	const numbers = [
		`Succeeded: ${succeeded.length}`,
		failed.length > 0 && `failed: ${list(failed)} (counted from 0)`,
		unsent.length > 0 && `not sent: ${unsent.length}`,
	];
	return {
		summary: summarize(succeeded, failed, unsent),
		details: joined(' ', `${joined('; ', ...numbers)}.`, advice),
	};
}

function itemsOf(tasks: readonly Task[]): number[] {
	return tasks.flatMap(({ indexes }) => indexes);
}

/** Says what to look at before the workflow runs again, and what it would repeat. */
function adviceBeforeNextRun({ tasks, ledger, isPreview }: Try, thrown?: Task): string {
	const unknown = itemsOf(tasks.filter((each) => each !== thrown && isUncertain(ledger.get(each))));
	const isRepeated = (each: Task) =>
		isValid(each) && ledger.stateOf(each) === 'succeeded' && each.call.purpose.repeat === 'ifNotApplied';
	return joined(
		' ',
		unknown.length > 0 && `Unknown outcome: ${list(unknown)}. Look at your profile before you run the workflow again.`,
		!isPreview && tasks.some(isRepeated) && 'Running the workflow again repeats the items that succeeded.',
	);
}

/** Says which of several items is at fault, if that is known and nothing was sent for the others, also in an earlier try. */
function reportAlone(tasks: readonly Task[], ledger: Ledger, thrown?: Task): ErrorDetails {
	const ending = thrown && ledger.get(thrown);
	const total = itemsOf(tasks).length;
	// A credential or an option that is invalid is so for all items.
	const isOfAll = tasks.length === total && tasks.every(({ call }) => call === thrown?.call);
	if (!thrown || ending?.state !== 'failed' || isOfAll) return {};
	const { itemIndex: index = isValid(thrown) ? undefined : thrown.indexes[0] } = ending.failure.data;
	if (index === undefined) return {};
	const name = thrown.readName?.();
	return {
		details: joined(
			' ',
			`This is item ${index} of ${total}, counted from 0${name ? `: "${quotable(name)}"` : ''}. Nothing was changed.`,
			tasks.length > 1 && 'To send the others, set On Error to Continue in the settings of the node.',
		),
	};
}

/** Whether the report names a call. If it is invalid now, its own error says that an earlier try may have made the change. */
function isUncertain(ending: Ending | undefined): boolean {
	return ending?.state === 'unknown' && ending.failure.data.kind !== 'node';
}

function summarize(succeeded: number[], failed: number[], unsent: number[]): string {
	const total = succeeded.length + failed.length + unsent.length;
	const summary = [
		// With "item 3" in lower case, the editor does not append its own "[item 3]".
		failed.length === 1 && `item ${failed[0]} of ${total} failed`,
		failed.length > 1 && `${failed.length} of ${total} items failed`,
		failed.length === 0 && `${succeeded.length} of ${total} items succeeded`,
		unsent.length > 0 && `${unsent.length} ${unsent.length === 1 ? 'was' : 'were'} not sent`,
	];
	return joined('; ', ...summary);
}

const MAX_NAMED = 10;

/** Returns "items 0, 4, 6", or the first ten of more. */
function list(items: number[]): string {
	const rest = items.length - MAX_NAMED;
	const listed = items.toSorted((a, b) => a - b).slice(0, MAX_NAMED);
	return `${items.length === 1 ? 'item' : 'items'} ${listed.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** More hints than these would push the output off the screen. */
const MAX_HINTS = 3;

const PREVIEW = 'This is a preview: nothing was changed. To make the change, remove the preview from the options.';

/** Shows the warnings and notes of all successes above the output, each text once. */
export function showHints({ context, tasks, ledger, isPreview }: Try): void {
	const results = tasks.flatMap((each) => {
		const ending = ledger.get(each);
		return ending?.state === 'succeeded' ? [ending.result] : [];
	});
	show(context, 'warning', new Set(results.flatMap(({ warnings = [] }) => warnings)));
	const infos = [...(isPreview ? [PREVIEW] : []), ...results.flatMap(({ notes = [] }) => notes)];
	show(context, 'info', new Set(infos));
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
