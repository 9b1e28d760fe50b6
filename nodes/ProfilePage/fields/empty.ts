import { FieldError } from '../explainedErrors';

/** Whether a field holds nothing, or no more than white space. */
export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && !value.trim());
}

/**
 * Sees that an expression has found something, be it an empty text: for fields in which nothing, taken
 * for an empty text, would do what nobody wants if a name in the expression is misspelt.
 *
 * @param field the field's name as the editor shows it
 * @param advice what to do if nothing is meant: "to clear the field"
 * @throws FieldError if it has found nothing
 */
export function requireFound(value: unknown, field: string, advice: string): void {
	if (value !== undefined && value !== null) return;
	throw new FieldError(
		field,
		`the expression gives nothing. Check the names in it; ${advice}, let it give an empty text.`,
	);
}
