import type { IExecuteFunctions } from 'n8n-workflow';

import type { CallResult } from '../resources/operation';
import type { Ended } from '../service/failure';

/** The maximum number of hints shown of each type. */
const MAX_HINTS = 5;

/** Shows the warnings and notes of all successes above the output, each once. */
export function showHints(context: IExecuteFunctions, calls: ReadonlyArray<{ ended?: Ended<CallResult> }>): void {
	const results = calls.flatMap(({ ended }) => (ended?.outcome === 'done' ? [ended.result] : []));
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
