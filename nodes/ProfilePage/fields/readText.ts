import { FieldError } from '../errors';
import { isEmpty } from './empty';

/** A JavaScript number keeps any decimal of this many significant digits, but not of more. */
const EXACT_DIGITS = 15;

/** Where a value stands, to name it in a message. */
export interface Place {
	/** The field's name as the editor shows it. */
	readonly field: string;
	/** What part of the field it is: "entry 2". */
	readonly part?: string;
	/** What to do if there is nothing: "Enter the ID of the page." */
	readonly advice: string;
}

/**
 * Reads a value that should be a text, such as an ID.
 *
 * @param value a text, or a number that an expression or a spreadsheet made of one
 * @returns the text without the white space around it, never empty
 * @throws FieldError if there is no text, or a number may have lost digits of it
 */
export function readText(value: unknown, { field, part = 'it', advice }: Place): string {
	if (typeof value === 'number') return readNumber(value, field, part);
	if (isEmpty(value)) {
		throw new FieldError(field, `${part} is empty. ${advice}`);
	}
	if (typeof value !== 'string') {
		throw new FieldError(field, `${part} is ${nameType(value)}, not a text. ${advice}`);
	}
	return value.trim();
}

function readNumber(value: number, field: string, part: string): string {
	const text = String(value);
	if (Number.isSafeInteger(value) || isExactDecimal(value, text)) return text;
	throw new FieldError(
		field,
		`${part} is the number ${text}, which may have lost digits. Give it as a text, in quotation marks.`,
	);
}

function isExactDecimal(value: number, text: string): boolean {
	const isPlain = /^-?\d+\.\d+$/.test(text);
	return isPlain && Number(value.toPrecision(EXACT_DIGITS)) === value;
}

function nameType(value: unknown): string {
	if (Array.isArray(value)) return 'a list';
	return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
