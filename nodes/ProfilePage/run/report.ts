import type { IExecuteFunctions } from 'n8n-workflow';

import type { Report } from '../n8n/errors';
import type { PlannedCall } from '../resources/operation';
import { type Failure, wantedOf } from '../service/failure';
import { isChange } from '../service/request';
import { capitalize, joined } from '../shared/values';
import type { Ending, Ledger } from './ledger';

/**
 * Reports what became of the input items, if a node ends before all have succeeded: a summary ("item 3 of 300 failed; 257
 * were not sent"), and details ("Succeeded: items 0–2; failed: item 3; …") with what to do before the workflow runs
 * again. A single call needs no lists of items. If nothing was sent, there is nothing to report.
 *
 * @param thrown the call that the error is about
 */
export function report(calls: readonly PlannedCall[], ledger: Ledger, thrown?: PlannedCall): Report {
	if (!calls.some((call) => call !== thrown && ledger.get(call))) return {};
	const itemsOf = (matches: (call: PlannedCall) => unknown) =>
		calls.filter(matches).flatMap(({ inputs }) => inputs.map(({ index }) => index));
	const unknown = itemsOf((call) => call !== thrown && isUnknown(ledger.failureOf(call)));
	const wouldRepeat = calls.some((call) => ledger.endingOf(call) === 'succeeded' && !call.repeatable);
	const advice = [
		unknown.length > 0 &&
			`${list(unknown, 'Unknown outcome')}. Look at your profile before you run the workflow again.`,
		wouldRepeat && 'Running the workflow again repeats the items that succeeded.',
	];
	if (calls.length < 2) return { summary: '', details: joined(' ', ...advice) };
	const itemsThat = (ending: Ending) => itemsOf((call) => ledger.endingOf(call) === ending);
	const [succeeded, failed, unsent] = [itemsThat('succeeded'), itemsThat('failed'), itemsThat('not sent')];
	const lists = [list(succeeded, 'succeeded'), list(failed, 'failed'), list(unsent, 'not sent')];
	return {
		summary: summarize(succeeded, failed, unsent),
		details: joined(' ', `${capitalize(joined('; ', ...lists))} (counted from 0).`, ...advice),
	};
}

/** Whether a change may have been made. */
function isUnknown(failure: Failure | undefined): boolean {
	const wanted = failure?.outcome === 'unknown' ? wantedOf(failure) : undefined;
	return wanted !== undefined && isChange(wanted);
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

/** Returns "failed: items 0–4, 6", or an empty text if there are none. */
function list(items: number[], ending: string): string {
	const ranges: Array<{ first: number; last: number }> = [];
	for (const item of items.toSorted((a, b) => a - b)) {
		const range = ranges.at(-1);
		if (range?.last === item - 1) range.last = item;
		else ranges.push({ first: item, last: item });
	}
	const texts = ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}–${last}`));
	if (items.length === 0) return '';
	return `${ending}: ${items.length === 1 ? 'item' : 'items'} ${texts.join(', ')}`;
}

/** The maximum number of hints shown of each type. */
const MAX_HINTS = 5;

/** Shows the warnings and notes of all successes above the output, each once. */
export function showHints(context: IExecuteFunctions, calls: readonly PlannedCall[], ledger: Ledger): void {
	const results = calls.flatMap((call) => {
		const ended = ledger.get(call);
		return ended?.outcome === 'done' ? [ended.result] : [];
	});
	show(context, 'warning', new Set(results.flatMap(({ warnings = [] }) => warnings)));
	show(context, 'info', new Set(results.flatMap(({ notes = [] }) => notes)));
}

function show(context: IExecuteFunctions, type: 'warning' | 'info', messages: ReadonlySet<string>): void {
	const shown = [...messages].slice(0, MAX_HINTS);
	const rest = messages.size - shown.length;
	if (rest > 0) shown.push(`More ${type === 'warning' ? 'warnings' : 'notes'} like these: ${rest}.`);
	for (const message of shown) context.addExecutionHints({ message: toHtml(message), type });
}

/** n8n shows hints as HTML, between tags, with links and pictures. A hint may contain texts from anywhere. */
function toHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
