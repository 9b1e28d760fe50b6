import { type IExecuteFunctions, isSafeObjectProperty } from 'n8n-workflow';

import { isExpression } from './expression';
import { followPath } from './followPath';

/** Reads a field of the node as it is for an item. */
export type FieldReader = (itemIndex: number) => unknown;

/** An expression that is nothing but a path into the item: `={{ $json.page['block ids'] }}`. */
const PATH_EXPRESSION =
	/^=\{\{\s*\$json((?:\.[A-Za-z_$][\w$]*|\[(?:'[^'\\{}]*'|"[^"\\{}]*")\])+)\s*\}\}$/;

/** A step of such a path, which has the name in one of its groups. */
const STEP = /\.([\w$]+)|\['([^']*)'\]|\["([^"]*)"\]/g;

/**
 * Prepares to read a field for many items. n8n takes a millisecond to evaluate an expression, during
 * which nothing else runs, so it is asked only where it must be: not for a value that holds no
 * expression, and not for what can be read from the item just as well.
 *
 * @param name the name of the field
 * @param fallback the value of a field that was never filled in, or that is not shown: its default
 * @returns a function that throws what n8n throws for an expression that can't be evaluated
 */
export function fieldReader(
	context: IExecuteFunctions,
	name: string,
	fallback: unknown,
): FieldReader {
	const evaluate: FieldReader = (itemIndex) => context.getNodeParameter(name, itemIndex, fallback);
	const raw = readRaw(context, name, fallback);
	if (!holdsExpression(raw)) {
		const value = evaluate(0);
		return () => value;
	}
	const path = readPathExpression(raw);
	if (!path) return evaluate;
	const items = context.getInputData();
	return (itemIndex) => {
		const value = followPath(items[itemIndex]?.json, path);
		return isJson(value) ? value : evaluate(itemIndex);
	};
}

/** @returns what was entered in a field, with its expressions not evaluated; the same for all items */
export function readRaw(context: IExecuteFunctions, name: string, fallback: unknown): unknown {
	return context.getNodeParameter(name, 0, fallback, { rawExpressions: true });
}

/** What is not there, or is more than data, is n8n's to judge. */
function isJson(value: unknown): boolean {
	if (typeof value !== 'object') return value !== undefined;
	return value !== null && (Array.isArray(value) || value.constructor === Object);
}

function holdsExpression(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return isExpression(value);
	return Object.values(value).some(holdsExpression);
}

/** @returns the names that lead into the item; undefined if the value is anything else */
export function readPathExpression(value: unknown): string[] | undefined {
	const path = typeof value === 'string' ? PATH_EXPRESSION.exec(value)?.[1] : undefined;
	if (path === undefined) return undefined;
	const steps = [...path.matchAll(STEP)].map(([, ...names]) => names.find((name) => name) ?? '');
	// n8n refuses names such as "constructor", with words of its own.
	return steps.every(isSafeObjectProperty) ? steps : undefined;
}
