import { isExpression, isSafeObjectProperty } from 'n8n-workflow';

import { parsePath } from './path';

/** A single expression, in which n8n lets a backslash escape the closing braces. */
const SINGLE_EXPRESSION = /^=\{\{(?:\\.|(?!\}\})[^\\])*\}\}$/s;

const EMBEDDED_EXPRESSION = /\{\{(?:\\.|(?!\}\})[^\\])*\}\}/gs;

/** An expression that is only a path into the item: `={{ $json.page['block ids'] }}`. */
const PATH_EXPRESSION =
	/^=\{\{\s*\$json((?:\.[A-Za-z_$][\w$]*|\[(?:'[^'\\{}]*'|"[^"\\{}]*")\])+)\s*\}\}$/;

/**
 * Whether what was entered mixes an expression with anything else, even a space or another expression.
 * The result is then text, in which `null` and `undefined` are blank.
 */
export function isTemplate(raw: unknown): raw is string {
	return isExpression(raw) && raw.includes('{{') && !SINGLE_EXPRESSION.test(raw);
}

/**
 * Returns the expressions in a text that mixes them with anything else, such as `{{ $json.id }}` in `=/a/{{ $json.id }}`;
 * none for any other value.
 */
export function findExpressions(raw: unknown): string[] {
	return isTemplate(raw) ? [...raw.matchAll(EMBEDDED_EXPRESSION)].map(([text]) => text) : [];
}

/** Returns the names in a path expression; undefined for any other value. */
export function parsePathExpression(raw: unknown): string[] | undefined {
	const path = isExpression(raw) ? PATH_EXPRESSION.exec(raw)?.[1] : undefined;
	const names = path === undefined ? undefined : parsePath(path.replace(/^\./, ''));
	// n8n rejects names such as "constructor" with a message of its own.
	return names?.every(isSafeObjectProperty) ? names : undefined;
}
