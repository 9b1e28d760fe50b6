/** A whole expression in one pair of braces, in which n8n lets a backslash escape the closing ones. */
const SINGLE_EXPRESSION = /^=\{\{(?:\\.|(?!\}\})[^\\])*\}\}$/s;

/** Whether a raw value is evaluated by n8n. */
export function isExpression(raw: unknown): raw is string {
	return typeof raw === 'string' && raw.startsWith('=');
}

/**
 * Whether a raw value has an expression with anything beside it, be it a space or another expression.
 * n8n then turns the result into a text, in which `null` and `undefined` are blank.
 */
export function isTemplate(raw: unknown): boolean {
	return isExpression(raw) && raw.includes('{{') && !SINGLE_EXPRESSION.test(raw);
}
