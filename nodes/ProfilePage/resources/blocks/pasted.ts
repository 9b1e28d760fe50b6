import type { INodeProperties } from 'n8n-workflow';

import { Field } from '../../fields/field';
import { readExactly, readText } from '../../fields/readers';
import { invalid } from '../../shared/failure';
import { findRepeated, isBlank, isObject, parseJson, quotable, trimmed } from '../../shared/values';
import type { Entry } from '../entries';
import { loosened, type Names } from '../names';

/** Returns one text a block. Only the names of all blocks tell whether "Tour, 2027" is one. Throws Failure. */
export type Split = (names?: Names) => string[];

interface Reading {
	/** What to enter in place of an invalid entry. */
	readonly advice: string;
	/** What to do if nothing was entered; if it is missing, that is allowed. */
	readonly ifEmpty?: string;
	/** The properties of an object that may say which block it is. */
	readonly properties: readonly string[];
}

/**
 * Returns a field for several blocks: a list of texts or objects, a JSON array of them, or a text. Each line of a text is one
 * block if a block is called so, else its parts between tabs, commas, and semicolons are. Without names, each line is split.
 */
export function blocksField(shown: INodeProperties, { advice, ifEmpty, properties }: Reading): Field<Split> {
	const { displayName } = shown;
	const readList = (list: readonly unknown[]) => {
		if (list.length === 0 && ifEmpty !== undefined) throw invalid(displayName, 'the list is empty', ifEmpty);
		return list.map((entry, index) => {
			const [value, part] = findValue(entry, `entry ${index + 1}`, properties);
			// A number may have lost digits.
			return (typeof value === 'number' ? readExactly : readText)(value, displayName, advice, part);
		});
	};
	return new Field(shown, (value) => {
		if (typeof value === 'string' && !isBlank(value)) {
			const text = trimmed(value);
			return (names) => readList(parseList(text, displayName, names) ?? splitText(text, displayName, names));
		}
		const texts = readList(isBlank(value) ? [] : asEntries(value));
		return () => texts;
	});
}

/** A single block needs no list. */
function asEntries(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [value];
}

/** Returns what says which block an entry is, and how messages call that. */
function findValue(entry: unknown, part: string, properties: readonly string[]): [value: unknown, part: string] {
	// The editor stores an empty list for an entry in which nothing was entered.
	if (Array.isArray(entry) && entry.length === 0) return ['', part];
	if (!isObject(entry)) return [entry, part];
	const property = properties.find((name) => !isBlank(entry[name])) ?? 'id';
	return [entry[property], `the "${property}" of ${part}`];
}

/** Returns the entries of a JSON array; undefined if the text is none. The name of a block may look like one. */
function parseList(text: string, displayName: string, names?: Names): readonly unknown[] | undefined {
	if (!/^[[{]/.test(text) || isOneName(text, names)) return undefined;
	const json = parseJson(text);
	if (json !== undefined) return asEntries(json);
	if (names) return undefined;
	throw invalid(displayName, 'the text is not valid JSON', 'Check it, or enter the IDs alone, one on each line.');
}

const [LINE_BREAK, TAB, COMMA] = [/[\r\n]/, /\t/, /[,;]/];

/** Throws Failure if the text contains a name that it would split: what could be read in two ways would move other blocks. */
function splitText(text: string, displayName: string, names?: Names): string[] {
	const separator = [LINE_BREAK, TAB, COMMA].find((each) => each.test(text));
	if (!separator || isOneName(text, names)) return text === '' ? [] : [text];
	const inside = names && findInside(text, names, separator);
	if (inside) {
		const problem = `"${quotable(text)}" contains ${names.labelOf(inside.id)}, which is one block, and may be several`;
		throw invalid(displayName, problem, 'Write one name on each line, and nothing else, or use a list.');
	}
	if (separator === COMMA) return text.replace(/[,;]$/, '').split(COMMA);
	const parts = text.split(separator).map(trimmed);
	if (!names && separator === LINE_BREAK && parts.some((line) => TAB.test(line))) {
		const advice = 'Paste only the column with the IDs, one on each line.';
		throw invalid(displayName, 'the text is a table with several columns', advice);
	}
	return parts.flatMap((part) => splitText(part, displayName, names));
}

/**
 * Whether a block is called so. The separators in the text must be those of the name: "Tour，2027" is not "Tour,2027", which
 * may be two blocks, and tabs and line breaks are white space only within a name that has just these.
 */
function isOneName(text: string, names?: Names): boolean {
	const commasOf = (each: string) => each.replace(/[^,;]/g, '');
	const isSame = (each: string) => each === text || (!/[\t\r\n]/.test(text) && commasOf(each) === commasOf(text));
	return (names?.find(text) ?? []).some(({ id, name }) => isSame(id) || isSame(name));
}

/** Returns a block whose name contains a separator, also in its full-width form, and occurs in the text. */
function findInside(text: string, { entries }: Names, separator: RegExp): Entry | undefined {
	const whole = loosened(text);
	const isSplit = (name: string) => separator.test(name.normalize('NFKC')) && whole.includes(loosened(name));
	return entries.find(({ name }) => isSplit(name));
}

/** Returns the IDs. Throws Failure if one is listed twice. `texts` are what was entered for them. */
export function eachOnce(ids: string[], displayName: string, texts: readonly string[] = ids): string[] {
	const repeated = findRepeated(ids);
	if (!repeated) return ids;
	const [first, again] = repeated;
	const problem = `block "${quotable(texts[again] ?? '')}" is listed twice, as entries ${first + 1} and ${again + 1}`;
	throw invalid(displayName, problem, 'List each block once.');
}
