import { FieldError } from '../errors';
import { type Place, readText } from './readText';
import { shorten } from './shorten';

/**
 * Reads an ID that is a whole number, such as that of a link.
 *
 * @param value a number, or a text that holds one
 * @returns the ID as a text
 * @throws FieldError if there is none, or it is anything else
 */
export function readNumericId(value: unknown, place: Place): string {
	const id = readText(value, place);
	if (isNumericId(id)) return id;
	throw new FieldError(
		place.field,
		`"${shorten(id)}" is not an ID, which must be a whole number. ${place.advice}`,
	);
}

/** Whether a text is an ID of that kind. */
export function isNumericId(text: string): boolean {
	return /^\d+$/.test(text);
}
