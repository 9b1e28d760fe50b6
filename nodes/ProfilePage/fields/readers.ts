import type { INodeProperties } from 'n8n-workflow';

import { checkVisible, invalid } from '../shared/failure';
import { isBlank, parseUrl, quotable, trimmed } from '../shared/values';

/** Reads text, or a number. Throws Failure if there is none. `part` is what of the field is read, such as "entry 2". */
export function readText(value: unknown, displayName: string, advice: string, part = 'the value'): string {
	if (isBlank(value)) throw invalid(displayName, `${part} is empty`, advice);
	if (typeof value === 'string' || Number.isFinite(value)) return trimmed(String(value));
	throw invalid(displayName, `${part} is ${typeNameOf(value)}, not text`, advice);
}

function typeNameOf(value: unknown): string {
	if (typeof value === 'number') return 'an invalid number';
	if (typeof value !== 'object') return `a ${typeof value}`;
	return Array.isArray(value) ? 'a list' : 'an object';
}

/** Reads a name or an ID: a text, or a number that was text. Throws Failure if there is none, or if it may have lost digits. */
export function readNameOrId(value: unknown, displayName: string, advice: string, part = 'the value'): string {
	if (typeof value === 'number' && Number.isFinite(value) && !Number.isSafeInteger(value)) {
		const ifNumber = 'Make it a text where it comes from. In an expression, put it in quotation marks.';
		throw invalid(displayName, `${part} is the number ${value}, which may have lost digits`, ifNumber);
	}
	return readText(value, displayName, advice, part);
}

/** What a name contains, or several IDs, of which services read the first one; or what JavaScript writes for nothing. */
const NO_ID = /[\s,;"'`«»\u2018-\u201F]|^(?:null|undefined)$/;

/** Reads an ID, as {@link readNameOrId} does. Throws Failure if it cannot be one. (What the service sends as one, `isId` tells.) */
export function readId(value: unknown, displayName: string, advice: string, part = 'the value'): string {
	const id = readNameOrId(value, displayName, advice, part);
	checkVisible(id, displayName, part);
	if (!NO_ID.test(id)) return id;
	const problem = `${part} is not an ID: "${quotable(id)}"`;
	throw invalid(displayName, problem, `An ID contains no spaces, commas, or quotation marks. ${advice}`);
}

/** Reads an address with http: or https:, and returns it as entered. Throws Failure if it is not. */
export function readWebAddress(value: unknown, displayName: string): string {
	const advice = 'Start it with https://, as in https://example.com/page, and enter nothing else.';
	const address = readText(value, displayName, advice);
	checkVisible(address, displayName, 'the address');
	if (isWebAddress(address)) return address;
	throw invalid(displayName, `"${quotable(address)}" is not a web address`, advice);
}

/** A parser accepts less and more: no slashes, and white space, which it encodes or ignores. */
const WEB_ADDRESS = /^https?:\/\/[^\s\p{Cc}]+$/iu;

/** A host name that visitors can reach, or an IP address: without a dot, it was not finished, or is the scheme of another address. */
const HOST = /^(?:[\w-]+\.)+[\w-]+\.?$|^\[.+\]$/;

export function isWebAddress(text: string): boolean {
	return WEB_ADDRESS.test(text) && HOST.test(parseUrl(text)?.hostname ?? '');
}

/** Reads a boolean; a spreadsheet may contain "TRUE". Throws Failure if it is not one. */
export function readBoolean(value: unknown, displayName: string): boolean {
	const text = typeof value === 'string' ? trimmed(value).toLowerCase() : value;
	if (text === true || text === 'true') return true;
	if (text === false || text === 'false') return false;
	throw invalid(displayName, 'the value must be true or false');
}

/** Reads a whole number. Throws Failure if it is not one, or not within the bounds of the field. */
export function readInteger(value: unknown, displayName: string, bounds: INodeProperties['typeOptions'] = {}): number {
	const { minValue = -Infinity, maxValue = Infinity } = bounds;
	const integer = typeof value === 'string' && !isBlank(value) ? Number(trimmed(value)) : value;
	const isInteger = typeof integer === 'number' && Number.isSafeInteger(integer);
	if (isInteger && integer >= minValue && integer <= maxValue) return integer;
	const lowest = minValue === -Infinity ? '' : `, at least ${minValue}`;
	const range = maxValue === Infinity ? lowest : `, from ${minValue} to ${maxValue}`;
	throw invalid(displayName, `the value must be a whole number${range}`);
}
