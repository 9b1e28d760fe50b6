import type { INodeProperties } from 'n8n-workflow';

import { isMissing, noValue } from '../../fields/expression';
import { Field } from '../../fields/field';
import { readId } from '../../fields/readers';
import { invalid } from '../../service/failure';
import { findRepeated, isObject, parseJson, quotable } from '../../shared/values';
import { MARKS } from '../names';

const FLATTEN_LIST = 'Enter one flat list of block IDs. In an expression, .flat() flattens nested lists.';
const ENTER_ID =
	'Enter the ID of a block, without other text, or remove the entry. To set an order of names, use the operation Move Blocks, with Move to Top and all names in their order.';
const USE_FROM_A_VALUE = 'To use a list from an expression, set Block Order to Block IDs From a Value.';

/**
 * Returns a field for an order of blocks: a list of IDs, or of objects with an `id`; or text that is a JSON array of them,
 * or IDs separated by commas, semicolons, tabs, or new lines, as spreadsheets and AI models write them. Its value is their
 * IDs, in the order of the list, each once. `ifEmpty` says what to do without any.
 */
export function blockIdsField({ ifEmpty, ...shown }: INodeProperties & { ifEmpty: string }): Field<string[]> {
	const name = shown.displayName;
	return new Field(shown, (list, item) => {
		if (isMissing(item.raw(shown), list)) throw noValue(name);
		const entries = typeof list === 'string' ? readIds(list, name) : list;
		if (!Array.isArray(entries)) {
			throw invalid(name, 'the value is not a list', 'Enter a list of block IDs, or of blocks with an "id".');
		}
		if (entries.length === 0) throw invalid(name, 'the list is empty', ifEmpty);
		const ids = entries.map((entry, index) => readEntry(entry, `entry ${index + 1}`, shown));
		checkEachOnce(ids, name);
		return ids;
	});
}

/** Throws Failure if an ID is listed twice. `texts` are what was entered for the IDs. */
export function checkEachOnce(ids: readonly string[], displayName: string, texts = ids): void {
	const repeated = findRepeated(ids);
	if (!repeated) return;
	const [first, again] = repeated;
	const problem = `block "${quotable(texts[again] ?? '')}" is listed twice, as entries ${first + 1} and ${again + 1}`;
	throw invalid(displayName, problem, 'List each block once.');
}

function readEntry(entry: unknown, part: string, shown: INodeProperties): string {
	const { displayName: name, typeOptions } = shown;
	if (Array.isArray(entry) && entry.length > 0) {
		throw invalid(name, `${part} is a list`, typeOptions?.multipleValues ? USE_FROM_A_VALUE : FLATTEN_LIST);
	}
	// The editor stores an empty list for an entry in which nothing was entered.
	const given: unknown = Array.isArray(entry) ? '' : entry;
	const [value, what] = isObject(given) ? [given.id ?? given.block_id, `the "id" of ${part}`] : [given, part];
	const id = readId(value, name, ENTER_ID, what);
	if (COLUMN_HEADING.test(id)) throw invalid(name, `${what} is not an ID: "${quotable(id)}"`, ENTER_ID);
	return id;
}

const COLUMN_HEADING = /^(?:block_?)?ids?:?$/i;

function readIds(text: string, displayName: string): unknown {
	const content = codeIn(text).trim();
	const json = /^[[{"]/.test(content) ? parseJson(content) : undefined;
	// Some expressions encode a text as JSON. Without that, it may be IDs in quotation marks.
	if (typeof json === 'string') return readIds(json, displayName);
	if (json !== undefined) return json;
	if (!/^[[{]/.test(content)) return splitText(content);
	const advice = text.includes('[object Object]')
		? 'The expression turned its list into text. Remove everything before and after its {{ }}.'
		: 'Check the brackets, quotation marks, and commas, or enter the IDs without them, one on each line.';
	throw invalid(displayName, 'the text is not valid JSON', advice);
}

/** Returns what a text has in its only pair of backticks or code fences, unless a line beside it may be an ID. */
export function codeIn(text: string): string {
	const [, before, marks = '', code, after] = /^([^`]*)(`+)([^`]+)\2([^`]*)$/.exec(text) ?? [];
	if (code === undefined || /^[ \t]*\S+[ \t]*$/m.test(`${before}\n${after}`)) return text;
	return marks.length < 3 ? code : code.replace(/^[a-z]+[ \t]*(?=[\r\n])/i, '');
}

const HEADING = /^(["'`]?)(?:block[ _-]?)?ids?:?\1:?[ \t]*[\r\n]/i;
/** Blank lines and cells, a comma or semicolon at the end of a line, and marks that all entries have, mean nothing. */
function splitText(text: string): string[] {
	const withSpaces = text.replace(HEADING, '').replace(/^(\d+[.)]|•)\t/gm, '$1 ');
	const cells = withSpaces.split(/[\t\r\n]/).map((cell) => cell.trim().replace(/[,;]$/, ''));
	const entries = cells.filter(Boolean).flatMap((cell) => cell.split(/[,;]/).map((entry) => entry.trim()));
	return MARKS.reduce((ids, mark) => {
		return ids.every((id) => mark.test(id)) ? ids.map((id) => id.replace(mark, '$<name>').trim()) : ids;
	}, entries);
}
