import { isExpression } from 'n8n-workflow';

import { invalid } from '../shared/failure';
import { isBlank, quotable } from '../shared/values';

/** What was entered in a field: with expressions as text, and as n8n evaluates it for an item. */
export interface Entered {
	readonly raw: unknown;
	readonly value: unknown;
}

/** One expression and nothing else, in which n8n lets a backslash escape the closing braces. */
const SINGLE_EXPRESSION = /^=\{\{(?:\\.|(?!\}\})[^\\])*\}\}$/s;

/**
 * Whether a text has expressions in it. Its value is a text, in which `null` and `undefined` are blank. A single
 * expression, without even a space around it, may return any value.
 */
export function isTemplate(raw: unknown): boolean {
	return isExpression(raw) && raw.includes('{{') && !SINGLE_EXPRESSION.test(raw);
}

/** A fixed text that was meant as an expression. */
function isUnfinished(raw: unknown): boolean {
	return typeof raw === 'string' && raw.includes('{{') && !isExpression(raw);
}

/** What n8n and JavaScript write for nothing, and for an invalid date. */
const NO_VALUE = /^\s*(?:null|undefined|Invalid DateTime)\s*$/;
/** Or inside a text, for an object too. */
const NO_TEXT = /\[object |Invalid DateTime/;

/**
 * Throws Failure if a value is certainly not what was meant, whatever the field is for. `ifMissing` says what to do if an
 * expression returns nothing, which usually means a misspelt property.
 */
export function checkEntered(
	{ raw, value }: Entered,
	displayName: string,
	ifMissing = 'Check the spelling of the properties in it.',
): void {
	if ([raw].flat().some(isUnfinished)) {
		const advice = 'Switch the field to Expression. An expression ends with "}}".';
		throw invalid(displayName, 'the text contains "{{", but is not an expression', advice);
	}
	const isMissing = value === undefined || value === null || (isTemplate(raw) && isBlank(value));
	if (isMissing) throw invalid(displayName, 'the expression returns no value', ifMissing);
	if (!isExpression(raw) || typeof value !== 'string') return;
	if (!NO_VALUE.test(value) && !(isTemplate(raw) && NO_TEXT.test(value))) return;
	const problem = `an expression returns nothing, an object, or an invalid date: "${quotable(value)}"`;
	throw invalid(displayName, problem, 'Check the expression.');
}
