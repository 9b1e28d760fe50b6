import type { INodeProperties } from 'n8n-workflow';

import { checkVisible, invalid } from '../shared/failure';
import { isBlank, parseUrl, quotable, trimmed } from '../shared/values';

/** What a date of n8n's expressions becomes as text if it is none. */
export const INVALID_DATE = 'Invalid DateTime';

const ADDRESS_ADVICE = 'Enter a full web address, such as https://example.com/page.';

/** Reads text, or a number. Throws Failure if there is none. `part` is what of the field is read, such as "entry 2". */
export function readText(value: unknown, displayName: string, advice: string, part = 'the value'): string {
	const refuse = (problem: string, toDo = advice) => invalid(displayName, `${part} is ${problem}`, toDo);
	if (isBlank(value)) throw refuse('empty');
	if (value === INVALID_DATE) throw refuse('an invalid date', 'Check the expression.');
	if (typeof value === 'number' && !Number.isFinite(value)) throw refuse('an invalid number', 'Check the expression.');
	if (Array.isArray(value)) throw refuse('a list, not text');
	if (typeof value === 'object') throw refuse('an object, not text');
	if (typeof value !== 'string' && typeof value !== 'number') throw refuse(`a ${typeof value}, not text`);
	const text = trimmed(String(value));
	if (!/^(?:null|undefined)$/.test(text)) return text;
	throw refuse(`the text "${text}"`, 'Leave the field empty, or check the expression.');
}

const NO_MARKS = 'An ID contains no spaces, commas, quotation marks, brackets, or asterisks.';

type NoId = readonly [pattern: RegExp, why: string];
const MARKED: NoId = [/[\s"'`*«»\u2018-\u201F]|^0+$/, NO_MARKS];
/** In a list, an ID may contain these. Alone, it is none: a service may read "5,6" and "12.5" as 5 and 12. */
const NOT_ALONE: NoId = [/[#,;<>()[\]{}]|:\/\/|^\d{1,12}\.\d*$/, NO_MARKS];

type IdOf = 'block' | 'group' | 'link' | 'nameOrId';

/** Why a text is no ID, by what it would be the ID of: it is a name, or was pasted with something around it. */
const NO_ID: Readonly<Record<IdOf, readonly NoId[]>> = {
	block: [MARKED, [/^(?:block[-_]?)?ids?:{0,2}$|^\d+\)|^\d+\.$|^•/i, 'A heading, number, or bullet is no ID.']],
	group: [MARKED, NOT_ALONE, [/^\D*$/, 'The ID of a group contains a digit.']],
	link: [MARKED, NOT_ALONE],
	// A field that takes names, too.
	nameOrId: [],
};

/**
 * Reads an ID that was entered: a text, or a number that was text. (What the service sends as one, `isId` tells.) Throws
 * Failure if there is none, or if it contains an invisible character, may have lost digits, or is marked as in {@link NO_ID}.
 */
export function readId(of: IdOf, value: unknown, displayName: string, advice: string, part = 'the value'): string {
	if (typeof value === 'number' && Number.isFinite(value) && !Number.isSafeInteger(value)) {
		const ifNumber = 'Make it a text where it comes from. In an expression, put it in quotation marks.';
		throw invalid(displayName, `${part} is the number ${value}, which may have lost digits`, ifNumber);
	}
	const id = readText(value, displayName, advice, part);
	checkVisible(id, displayName, part);
	const found = NO_ID[of].find(([pattern]) => pattern.test(id));
	if (!found) return id;
	throw invalid(displayName, `${part} is not an ID: "${quotable(id)}"`, `${found[1]} ${advice}`);
}

/** Reads an address with http: or https:, and returns it as entered. Throws Failure if it is not. */
export function readWebAddress(value: unknown, displayName: string): string {
	const address = readText(value, displayName, ADDRESS_ADVICE);
	checkVisible(address, displayName, 'the address');
	// Often a title that was pasted behind the address. The parser would encode or ignore it.
	if (HAS_SCHEME.test(address) && /[\s\p{Cc}]/u.test(address)) {
		const problem = `"${quotable(address)}" contains white space`;
		throw invalid(displayName, problem, 'Remove what follows the address, or write a space in it as %20.');
	}
	if (isWebAddress(address)) return address;
	throw invalid(displayName, `"${quotable(address)}" is not a web address`, ADDRESS_ADVICE);
}

const HAS_SCHEME = /^https?:\/\//i;

/** A host name that visitors can reach, or an IP address: without a dot, it was not finished, or is the scheme of another address. */
const HOST = /^(?:[\w-]+\.)+[\w-]+\.?$|^\[.+\]$/;

export function isWebAddress(text: string): boolean {
	// The parser alone accepts "https:example.com".
	return HAS_SCHEME.test(text) && HOST.test(parseUrl(text)?.hostname ?? '');
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
