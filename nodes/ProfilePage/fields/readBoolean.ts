import { FieldError } from '../errors';

/**
 * Reads a field that should be true or false.
 *
 * @param value what the editor or an expression put there; a spreadsheet may give "TRUE"
 * @param field the field's name as the editor shows it
 * @throws FieldError if it is neither
 */
export function readBoolean(value: unknown, field: string): boolean {
	const text = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (text === true || text === 'true') return true;
	if (text === false || text === 'false') return false;
	throw new FieldError(field, 'it must be true or false.');
}
