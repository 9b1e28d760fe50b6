import type { INodeProperties } from 'n8n-workflow';

import { isMissing, noValue } from '../../fields/expression';
import { Field } from '../../fields/field';
import { readExactly, readId, readText } from '../../fields/readers';
import { invalid } from '../../shared/failure';
import { findRepeated, isBlank, isObject, parseJson, quotable, trimmed } from '../../shared/values';
import { blockList, NAME_PROPERTIES } from '../entries';
import { MARKS, type Names } from '../names';

const ENTER_BLOCK = 'Enter the name or the ID of a block, or remove the entry.';
const ENTER_ID =
	'Enter the ID of a block, without other text, or remove the entry. To set an order of names, use the operation Move Blocks, with Move to Top and all names in their order.';
const FLATTEN_LIST =
	'Enter one flat list of block IDs. To use a list from an expression, set Block Order to Block IDs From a Value.';
const CHECK_JSON = 'Check the brackets, quotation marks, and commas, or enter the IDs without them, one on each line.';

/**
 * Returns a field for an order of blocks: a list of IDs, or of objects with an `id`; or text that is a JSON array of them,
 * or IDs separated by commas, semicolons, tabs, or new lines, as spreadsheets and AI models write them. Its value is their
 * IDs, in the order of the list, each once. `ifEmpty` says what to do without any.
 */
export function orderField({ ifEmpty, ...shown }: INodeProperties & { ifEmpty: string }): Field<string[]> {
	const name = shown.displayName;
	return new Field(shown, (value, item) => {
		if (isMissing(item.raw(shown), value)) throw noValue(name);
		const list = typeof value === 'string' ? splitIds(value, name) : value;
		if (!Array.isArray(list)) {
			throw invalid(name, 'the value is not a list', 'Enter a list of block IDs, or of blocks with an "id".');
		}
		if (list.length === 0) throw invalid(name, 'the list is empty', ifEmpty);
		const ids = readEntries(list, blockList.idProperties, (entry, part) => readBlockId(entry, name, part));
		return eachOnce(ids, name);
	});
}

/** Finds the blocks that were entered among all blocks of a page. Returns their IDs, each once. Throws Failure if one is not certain. */
export type FindBlocks = (names: Names) => string[];

/**
 * Returns a field for some blocks of a page, by ID or by name: one an entry, or a text, which is split once the names of all
 * blocks are known. `ifEmpty` says what to do without any; if it is missing, there may be none.
 */
export function blocksField({ ifEmpty, ...shown }: INodeProperties & { ifEmpty?: string }): Field<FindBlocks> {
	const name = shown.displayName;
	return new Field(shown, (value, item) => {
		if (isMissing(item.raw(shown), value)) throw noValue(name);
		const entered = typeof value === 'string' ? trimmed(value) : readBlocks(value, name);
		const checkEmpty = ({ length }: string | readonly string[]) => {
			if (length === 0 && ifEmpty !== undefined) throw invalid(name, 'the list is empty', ifEmpty);
		};
		checkEmpty(entered);
		return (names) => {
			const texts = typeof entered === 'string' ? splitNames(entered, names, name) : entered;
			checkEmpty(texts);
			const ids = texts.map((text) => names.findOne(text, name).id);
			return eachOnce(ids, name, texts);
		};
	});
}

/** Reads a list of texts, or of objects with one of some properties, as the lists of the service have them. */
function readEntries(
	list: readonly unknown[],
	properties: readonly string[],
	read: (value: unknown, part: string) => string,
): string[] {
	return list.map((entry, index) => {
		const part = `entry ${index + 1}`;
		if (!isObject(entry)) return read(entry, part);
		const property = properties.find((name) => !isBlank(entry[name])) ?? 'id';
		return read(entry[property], `the "${property}" of ${part}`);
	});
}

function readBlockId(value: unknown, displayName: string, part: string): string {
	if (Array.isArray(value) && value.length > 0) throw invalid(displayName, `${part} is a list`, FLATTEN_LIST);
	// The editor stores an empty list for an entry in which nothing was entered.
	return readId(Array.isArray(value) ? '' : value, displayName, ENTER_ID, part);
}

function readBlocks(value: unknown, displayName: string): string[] {
	const properties = [...blockList.idProperties, ...NAME_PROPERTIES];
	return readEntries(Array.isArray(value) ? value : [value], properties, (entry, part) => {
		// A number may have lost digits.
		const read = typeof entry === 'number' ? readExactly : readText;
		return read(entry, displayName, ENTER_BLOCK, part);
	});
}

/** Returns the IDs. Throws Failure if one is listed twice. `texts` are what was entered for them. */
function eachOnce(ids: string[], displayName: string, texts: readonly string[] = ids): string[] {
	const repeated = findRepeated(ids);
	if (!repeated) return ids;
	const [first, again] = repeated;
	const problem = `block "${quotable(texts[again] ?? '')}" is listed twice, as entries ${first + 1} and ${again + 1}`;
	throw invalid(displayName, problem, 'List each block once.');
}

/** Returns the value of a text that is JSON, which some expressions encode twice; any other text as it is. */
function decode(text: string): unknown {
	const json = /^\s*[[{"]/.test(text) ? parseJson(text) : undefined;
	return typeof json === 'string' ? decode(json) : (json ?? text.trim());
}

/** Returns what a text has in its only pair of backticks or code fences, unless a line beside it may be an ID. */
function codeIn(text: string): string {
	const [, before, marks = '', code, after] = /^([^`]*)(`+)([^`]+)\2([^`]*)$/.exec(text) ?? [];
	if (code === undefined || /^[ \t]*\S+[ \t]*$/m.test(`${before}\n${after}`)) return text;
	return marks.length < 3 ? code : code.replace(/^[a-z]+[ \t]*(?=[\r\n])/i, '');
}

/** The first line of a column that was copied from a spreadsheet. */
const HEADING = /^(["'`]?)(?:block[ _-]?)?ids?:?\1:?[ \t]*[\r\n]/i;

/** Blank lines and cells, a comma or semicolon at the end of a line, and marks that all entries have, mean nothing. */
function splitIds(text: string, displayName: string): unknown {
	const content = decode(codeIn(text));
	if (typeof content !== 'string') return content;
	if (/^[[{]/.test(content)) throw invalid(displayName, 'the text is not valid JSON', CHECK_JSON);
	const withSpaces = content.replace(HEADING, '').replace(/^(\d+[.)]|•)\t/gm, '$1 ');
	const cells = withSpaces.split(/[\t\r\n]/).map((cell) => cell.trim().replace(/[,;]$/, ''));
	const entries = cells.filter(Boolean).flatMap((cell) => cell.split(/[,;]/).map((entry) => entry.trim()));
	return MARKS.reduce((ids, mark) => {
		return ids.every((id) => mark.test(id)) ? ids.map((id) => id.replace(mark, '$<name>').trim()) : ids;
	}, entries);
}

/** Splits a text into what names one block each: all of it, the entries of a JSON array, or its lines and their parts. */
function splitNames(text: string, names: Names, displayName: string): readonly string[] {
	if (isOneName(text, names)) return [text];
	// Single backticks may be part of a name.
	const content = decode(text.includes('```') ? codeIn(text) : text);
	if (typeof content !== 'string') return readBlocks(content, displayName);
	return content.split(/[\r\n]/).flatMap((line) => splitLine(line, names, displayName));
}

/** White space means nothing in a name, but lines and cells are names of their own, unless a name has just these. */
function isOneName(text: string, names: Names): boolean {
	const [found, exact] = [names.find(text), trimmed(text)];
	return /[\t\r\n]/.test(exact) ? found.some(({ name }) => name === exact) : found.length > 0;
}

/** What separates blocks in a line. A name may contain one, too. */
const SEPARATOR = /([,;\t])/;

function splitLine(line: string, names: Names, displayName: string): readonly string[] {
	if (isOneName(line, names)) return [line];
	const parts = line.split(SEPARATOR);
	const [reading, other] = readParts(parts, names);
	// Without a reading, one of the parts is no name by itself, or occurs twice.
	if (!reading) return parts.filter((part) => !isBlank(part) && !SEPARATOR.test(part));
	if (!other) return reading;
	const problem = `"${quotable(line.trim())}" can be read as names of blocks in more than one way`;
	throw invalid(displayName, problem, 'Write one name a line.');
}

/** Returns the first two ways to read parts, each followed by a separator, as names of different blocks. */
function readParts(parts: readonly string[], names: Names): string[][] {
	const longest = Math.max(...names.entries.map(({ id, name }) => `${id}${name}`.split(SEPARATOR).length));
	const readings: string[][][] = [];
	for (let start = parts.length - 1; start >= 0; start -= 2) {
		const found = isBlank(parts[start]) ? [...(readings[start + 2] ?? [[]])] : [];
		for (let end = start + 1; end <= Math.min(start + longest, parts.length); end += 2) {
			const name = parts.slice(start, end).join('');
			if (names.find(name).length === 0) continue;
			const rests = (readings[end + 1] ?? [[]]).filter(({ length }) => length < names.entries.length);
			found.push(...rests.map((rest) => [name, ...rest]));
		}
		readings[start] = found.slice(0, 2);
	}
	return readings[0] ?? [];
}
