import type { INodeProperties } from 'n8n-workflow';

import { checkVisible, invalid } from '../service/failure';
import { isBlank, parseUrl, quotable, trimmed } from '../shared/values';
import { noValue } from './expression';

/** What a date of n8n's expressions becomes as text if it is none. */
export const INVALID_DATE = 'Invalid DateTime';

const ADDRESS_ADVICE = 'Enter a full web address, starting with https:// or http://.';

/**
 * Reads text, or a number. Returns it trimmed and never empty. Throws Failure if there is none.
 *
 * @param part what of the field is read, such as "entry 2"
 */
export function readText(value: unknown, field: string, advice: string, part?: string): string {
	// The editor stores an empty text, so only an expression has no value at all.
	if (part === undefined && (value === undefined || value === null)) throw noValue(field);
	const what = part ?? 'the value';
	if (isBlank(value)) throw invalid(field, `${what} is empty`, advice);
	if (value === INVALID_DATE) throw invalid(field, `${what} is an invalid date`, 'Check the expression.');
	if (typeof value === 'string' || typeof value === 'number') return trimmed(String(value));
	const type = typeof value === 'object' ? 'an object' : `a ${typeof value}`;
	const found = Array.isArray(value) ? 'a list' : type;
	throw invalid(field, `${what} is ${found}, not text`, advice);
}

/** Reads an ID: text, or a number that was text. Throws Failure if there is none, or the number may have lost digits. */
export function readId(value: unknown, field: string, advice: string, part?: string): string {
	if (typeof value !== 'number' || Number.isSafeInteger(value)) {
		const id = readText(value, field, advice, part);
		checkVisible(id, field, part);
		return id;
	}
	const problem = `${part ?? 'the value'} is the number ${value}, which may have lost digits`;
	throw invalid(field, problem, 'Enter it as text, in quotation marks.');
}

/** Reads an ID that is a whole number, and returns it as text. Throws Failure if it is not. */
export function readNumericId(value: unknown, field: string, advice: string): string {
	const id = readId(value, field, advice);
	if (isNumericId(id)) return id;
	throw invalid(field, `"${quotable(id)}" is not an ID`, `An ID is a whole number. ${advice}`);
}

export function isNumericId(text: string): boolean {
	return /^\d+$/.test(text);
}

/** Reads an address with http: or https:, and returns it as entered. Throws Failure if it is not. */
export function readWebAddress(value: unknown, field: string): string {
	const address = readText(value, field, ADDRESS_ADVICE);
	checkVisible(address, field, 'the address');
	// The parser ignores line breaks.
	if (/\p{Cc}/u.test(address)) throw invalid(field, 'the address contains a line break', 'Remove it.');
	if (isWebAddress(address)) return address;
	throw invalid(field, `"${quotable(address)}" is not a web address`, ADDRESS_ADVICE);
}

export function isWebAddress(text: string): boolean {
	// The parser alone accepts "https:example.com" too.
	return /^https?:\/\//i.test(text) && parseUrl(text) !== undefined;
}

/** Reads a boolean; a spreadsheet may contain "TRUE". Throws Failure if it is not one. */
export function readBoolean(value: unknown, field: string): boolean {
	const text = typeof value === 'string' ? trimmed(value).toLowerCase() : value;
	if (text === true || text === 'true') return true;
	if (text === false || text === 'false') return false;
	throw invalid(field, 'the value must be true or false');
}

/** Reads a whole number. Throws Failure if it is not one, or not within the bounds of the field. */
export function readInteger(value: unknown, field: string, bounds: INodeProperties['typeOptions'] = {}): number {
	const { minValue = -Infinity, maxValue = Infinity } = bounds;
	const integer = isBlank(value) || typeof value !== 'string' ? value : Number(trimmed(value));
	const isInteger = typeof integer === 'number' && Number.isSafeInteger(integer);
	if (isInteger && integer >= minValue && integer <= maxValue) return integer;
	const lowest = minValue === -Infinity ? '' : `, at least ${minValue}`;
	const range = maxValue === Infinity ? lowest : `, from ${minValue} to ${maxValue}`;
	throw invalid(field, `the value must be a whole number${range}`);
}
