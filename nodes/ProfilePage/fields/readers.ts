import type { INodeProperties } from 'n8n-workflow';

import { invalid } from '../service/failure';
import { findProblem, METHOD, pathAfter } from '../service/servicePath';
import { isBlank, parseUrl, quotable } from '../shared/values';
import { noValue } from './expression';

/** What a date of n8n's expressions becomes as text if it is none. */
export const INVALID_DATE = 'Invalid DateTime';

const ADDRESS_ADVICE = 'Enter a full web address, starting with https:// or http://.';

/**
 * Reads text, or a number that was text. Returns it trimmed and never empty. Throws Failed if there is none, or
 * the number may have lost digits.
 *
 * @param part what of the field is read, such as "entry 2"
 */
export function readText(value: unknown, field: string, advice: string, part?: string): string {
	// The editor stores an empty text, so only an expression has no value at all.
	if (part === undefined && (value === undefined || value === null)) throw noValue(field);
	const what = part ?? 'the value';
	if (isBlank(value)) throw invalid(field, `${what} is empty`, advice);
	if (value === INVALID_DATE) throw invalid(field, `${what} is an invalid date`, 'Check the expression.');
	if (typeof value === 'string') return value.trim();
	if (typeof value === 'number') {
		if (isExact(value)) return String(value);
		const problem = `${what} is the number ${value}, which may have lost digits`;
		throw invalid(field, problem, 'Enter it as text, in quotation marks.');
	}
	const type = typeof value === 'object' ? 'an object' : `a ${typeof value}`;
	const found = Array.isArray(value) ? 'a list' : type;
	throw invalid(field, `${what} is ${found}, not text`, advice);
}

/** Whether a number has all the digits that it was written with. */
export function isExact(value: number): boolean {
	if (Number.isSafeInteger(value)) return true;
	// A JavaScript number keeps decimals of up to 15 significant digits.
	return /^-?\d+\.\d+$/.test(String(value)) && Number(value.toPrecision(15)) === value;
}

/** Reads an ID that is a whole number, and returns it as text. Throws Failed if it is not. */
export function readNumericId(value: unknown, field: string, advice: string): string {
	const id = readText(value, field, advice);
	if (isNumericId(id)) return id;
	throw invalid(field, `"${quotable(id)}" is not an ID`, `An ID is a whole number. ${advice}`);
}

export function isNumericId(text: string): boolean {
	return /^\d+$/.test(text);
}

/** Reads an address with http: or https:, and returns it as entered. Throws Failed if it is not. */
export function readWebAddress(value: unknown, field: string): string {
	const address = readText(value, field, ADDRESS_ADVICE);
	// The parser ignores line breaks.
	if (/\p{Cc}/u.test(address)) throw invalid(field, 'the address contains a line break', 'Remove it.');
	if (isWebAddress(address)) return address;
	throw invalid(field, `"${quotable(address)}" is not a web address`, ADDRESS_ADVICE);
}

export function isWebAddress(text: string): boolean {
	// The parser alone accepts "https:example.com" too.
	return /^https?:\/\//i.test(text) && parseUrl(text) !== undefined;
}

const PATH_ADVICE = 'Enter the part after the Base URL, such as /oauth/v1/me.';

const CHOOSE_METHOD = 'Choose it in Method, and enter only the path, such as /oauth/v1/me.';

/** Whether the full address of an endpoint was entered. */
export function isAddress(value: unknown): value is string {
	return typeof value === 'string' && /^\s*https?:\/\//i.test(value);
}

/**
 * Reads the path of a request, which gets the access token. It can lead neither to another host nor out of the Base
 * URL, however a server reads it.
 *
 * @param baseUrl without a slash at its end, if a full address may start with it
 * @returns the path with its leading slash, and the query without the question mark, both percent-encoded
 * @throws Failed if it is empty, or could leave the service
 */
export function readServicePath(value: unknown, field: string, baseUrl?: string): Pick<URL, 'pathname' | 'search'> {
	const isFull = isAddress(value) && baseUrl !== undefined;
	const entered = readText(isFull ? removeAddress(value, field, baseUrl) : value, field, PATH_ADVICE);
	const isRooted = entered.startsWith('/');
	const text = isRooted ? entered : `/${entered}`;
	const problem = findProblem(text, isRooted);
	if (problem) throw invalid(field, problem, METHOD.test(entered) ? CHOOSE_METHOD : PATH_ADVICE);
	const { pathname, search } = new URL(`https://host${text}`);
	return { pathname, search: search.slice(1) };
}

/** Returns the part of an address after the Base URL. */
function removeAddress(address: string, field: string, baseUrl: string): string {
	const path = pathAfter(baseUrl, address);
	if (path !== undefined) return path;
	const problem = `the address does not start with the Base URL of the credential, ${quotable(baseUrl)}`;
	throw invalid(field, problem, PATH_ADVICE);
}

/** Reads a boolean; a spreadsheet may contain "TRUE". Throws Failed if it is not one. */
export function readBoolean(value: unknown, field: string): boolean {
	const text = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (text === true || text === 'true') return true;
	if (text === false || text === 'false') return false;
	throw invalid(field, 'the value must be true or false');
}

/** Reads a whole number. Throws Failed if it is not one, or not within the bounds of the field. */
export function readInteger(value: unknown, { displayName, typeOptions }: INodeProperties): number {
	const { minValue = -Infinity, maxValue = Infinity } = typeOptions ?? {};
	const integer = typeof value === 'string' && value.trim() ? Number(value) : value;
	const isInteger = typeof integer === 'number' && Number.isSafeInteger(integer);
	if (isInteger && integer >= minValue && integer <= maxValue) return integer;
	const lowest = minValue === -Infinity ? '' : `, at least ${minValue}`;
	const bounds = maxValue === Infinity ? lowest : `, from ${minValue} to ${maxValue}`;
	throw invalid(displayName, `the value must be a whole number${bounds}`);
}
