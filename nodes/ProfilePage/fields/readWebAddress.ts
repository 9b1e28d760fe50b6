import { FieldError } from '../errors';
import { parseUrl } from '../parseUrl';
import { readText } from './readText';
import { shorten } from './shorten';

const ADVICE = 'Enter a whole web address, beginning with https:// or http://.';

/**
 * Reads the address of something on the web.
 *
 * @param field the field's name as the editor shows it
 * @returns the address as it was entered, without the white space around it
 * @throws FieldError if there is none, or it is not one of http or https
 */
export function readWebAddress(value: unknown, field: string): string {
	const address = readText(value, { field, advice: ADVICE });
	if (isWebAddress(address)) return address;
	throw new FieldError(field, `"${shorten(address)}" is not a web address. ${ADVICE}`);
}

/** Whether a text is the whole address of something on the web. */
export function isWebAddress(text: string): boolean {
	// The parser alone would take "https:example.com" too.
	return /^https?:\/\//i.test(text) && parseUrl(text) !== undefined;
}
