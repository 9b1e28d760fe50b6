import type { INodeProperties } from 'n8n-workflow';

import { Field } from '../../fields/field';
import { readId, readText } from '../../fields/readers';
import { invalid } from '../../shared/failure';
import { findRepeated, isBlank, isObject, parseJson, quotable, trimmed } from '../../shared/values';
import { blockList, type Entry, NAME_PROPERTIES } from '../entries';
import { loosened, type Names } from '../names';

const ENTER_ID =
	'Enter the ID of a block, without other text, or remove the entry. To set an order of names, use the operation Move Blocks, with Move to Top and all names in their order.';
const LIST_ALL = 'List every block on the page, from top to bottom, or use the operation Move Blocks.';
const ENTER_NAME = 'Enter the name or the ID of a block, or remove the entry.';

const JSON_START = /^[[{]/;
const [LINE_BREAK, TAB, COMMA_OR_SEMICOLON] = [/[\r\n]/, /\t/, /[,;]/];

/**
 * A field for blocks by ID: a list of IDs or of blocks, a JSON array of them, or a text with IDs between line breaks, tabs,
 * commas, and semicolons. Its value are the IDs, at least one, each once.
 */
export function idsField(shown: INodeProperties): Field<string[]> {
	const { displayName } = shown;
	return new Field(shown, (value) => {
		const list = typeof value === 'string' ? splitIds(trimmed(value), displayName) : [value].flat();
		if (list.length === 0) throw invalid(displayName, 'the list is empty', LIST_ALL);
		const ids = list.map((entry, index) => {
			const [id, part] = findValue(entry, index, blockList.idProperties);
			return readId('block', id, displayName, ENTER_ID, part);
		});
		return eachOnce(ids, displayName, ids);
	});
}

function splitIds(text: string, displayName: string): readonly unknown[] {
	const list = parseList(text);
	if (list) return list;
	if (JSON_START.test(text)) {
		throw invalid(displayName, 'the text is not valid JSON', 'Check it, or enter the IDs alone, one on each line.');
	}
	const lines = splitAt(LINE_BREAK, text);
	if (lines.length > 1 && lines.some((line) => TAB.test(line))) {
		const advice = 'Paste only the column with the IDs, one on each line.';
		throw invalid(displayName, 'the text is a table with several columns', advice);
	}
	return lines.flatMap((line) => splitAt(TAB, line)).flatMap((cell) => splitAt(COMMA_OR_SEMICOLON, cell));
}

/**
 * A field for blocks by name or ID: a list as for IDs, or a text. Only the names of all blocks tell whether "Tour, 2027" is
 * one block: a line is one if a block is called so, else its parts between tabs, commas, and semicolons are. So its value
 * is a function that finds the IDs, each once. `ifEmpty` says what to do if nothing was entered; without it, that is allowed.
 */
export function namesField(shown: INodeProperties, ifEmpty?: string): Field<(names: Names) => string[]> {
	const { displayName } = shown;
	const readList = (list: readonly unknown[]) => {
		if (list.length === 0 && ifEmpty !== undefined) throw invalid(displayName, 'the list is empty', ifEmpty);
		return list.map((entry, index) => {
			const [name, part] = findValue(entry, index, [...blockList.idProperties, ...NAME_PROPERTIES]);
			// It may have lost digits.
			if (typeof name === 'number') return readId('nameOrId', name, displayName, ENTER_NAME, part);
			return readText(name, displayName, ENTER_NAME, part);
		});
	};
	const find = (entered: readonly string[], names: Names) => {
		const ids = entered.map((name) => names.findOne(name, displayName).id);
		return eachOnce(ids, displayName, entered);
	};
	return new Field(shown, (value) => {
		if (typeof value === 'string' && !isBlank(value)) {
			return (names) => find(readList(splitNames(trimmed(value), names, displayName)), names);
		}
		const entered = readList(isBlank(value) ? [] : [value].flat());
		return (names) => find(entered, names);
	});
}

function splitNames(text: string, names: Names, displayName: string): readonly unknown[] {
	// The name of a block may look like JSON.
	const list = isOneName(text, names) ? [text] : parseList(text);
	if (list) return list;
	let parts = [text];
	for (const separator of [LINE_BREAK, TAB, COMMA_OR_SEMICOLON]) {
		parts = parts.flatMap((part) => {
			if (!separator.test(part) || isOneName(part, names)) return [part];
			const inside = findInside(part, names, separator);
			if (!inside) return splitAt(separator, part);
			// To read it in one of two ways would move other blocks.
			const problem = `"${quotable(part)}" contains ${names.labelOf(inside.id)}, which is one block, and may be several`;
			throw invalid(displayName, problem, 'Write one name on each line, and nothing else, or use a list.');
		});
	}
	return parts;
}

/**
 * Whether a block is called so, with the same separators: "Tour，2027" is not "Tour,2027", which may be two blocks. Several
 * lines or cells are one name only exactly.
 */
function isOneName(text: string, names: Names): boolean {
	const separatorsOf = (each: string) => each.replace(/[^,;]/g, '');
	const isOneLine = !/[\t\r\n]/.test(text);
	const isSame = (each: string) => each === text || (isOneLine && separatorsOf(each) === separatorsOf(text));
	return names.find(text).some(({ id, name }) => isSame(id) || isSame(name));
}

/** Returns a block whose name contains a separator, also in its full-width form, and occurs in the text. */
function findInside(text: string, { entries }: Names, separator: RegExp): Entry | undefined {
	const whole = loosened(text);
	return entries.find(({ name }) => separator.test(name.normalize('NFKC')) && whole.includes(loosened(name)));
}

/** Returns what says which block an entry is, and how messages call that. */
function findValue(entry: unknown, index: number, properties: readonly string[]): [value: unknown, part: string] {
	const part = `entry ${index + 1}`;
	// The editor stores an empty list for an entry in which nothing was entered.
	if (Array.isArray(entry) && entry.length === 0) return ['', part];
	if (!isObject(entry)) return [entry, part];
	const property = properties.find((name) => !isBlank(entry[name])) ?? 'id';
	return [entry[property], `the "${property}" of ${part}`];
}

function parseList(text: string): readonly unknown[] | undefined {
	const json = JSON_START.test(text) ? parseJson(text) : undefined;
	return json === undefined ? undefined : [json].flat();
}

/** Returns the parts of a text. There may be nothing in a line or a cell, but not between commas. */
function splitAt(separator: RegExp, text: string): string[] {
	if (separator === COMMA_OR_SEMICOLON) return text.replace(/[,;]$/, '').split(COMMA_OR_SEMICOLON);
	return text.split(separator).map(trimmed).filter(Boolean);
}

/** Returns the IDs. Throws Failure if one is listed twice. `entered` are the texts for them. */
function eachOnce(ids: string[], displayName: string, entered: readonly string[]): string[] {
	const repeated = findRepeated(ids);
	if (!repeated) return ids;
	const [first, again] = repeated;
	const problem = `block "${quotable(entered[again] ?? '')}" is listed twice, as entries ${first + 1} and ${again + 1}`;
	throw invalid(displayName, problem, 'List each block once.');
}
