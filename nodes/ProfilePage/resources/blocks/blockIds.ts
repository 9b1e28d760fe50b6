import type { INodeProperties } from 'n8n-workflow';

import { noValue } from '../../fields/expression';
import { Field } from '../../fields/field';
import { readId } from '../../fields/readers';
import { invalid } from '../../service/failure';
import { findRepeated, isObject, parseJson, quotable } from '../../shared/values';

const FLATTEN_LIST = 'Enter one flat list of block IDs. In an expression, .flat() flattens nested lists.';
const USE_FROM_A_VALUE = 'To use a list from an expression, set Block Order to From a Value.';

/**
 * Returns a field for blocks: a list of IDs, or of objects with an `id`; or text that is a JSON array of them, or IDs
 * separated by commas or new lines. Its value is their IDs, in the order of the list: at least one, each once.
 */
export function blockIdsField({ ifEmpty, ...shown }: INodeProperties & { readonly ifEmpty: string }): Field<string[]> {
	const name = shown.displayName;
	return new Field(shown, (list) => {
		if (list === undefined || list === null) throw noValue(name);
		const entries = typeof list === 'string' ? readIds(list, name) : list;
		if (!Array.isArray(entries)) {
			throw invalid(name, 'the value is not a list', 'Enter a list of block IDs, or of blocks with an "id".');
		}
		if (entries.length === 0) throw invalid(name, 'the list is empty', ifEmpty);
		const ids = entries.map((entry, index) => readEntry(entry, `entry ${index + 1}`, shown));
		const repeated = findRepeated(ids);
		if (!repeated) return ids;
		const [first, again] = repeated;
		const problem = `block "${quotable(ids[first] ?? '')}" is listed twice, as entries ${first + 1} and ${again + 1}`;
		throw invalid(name, problem, 'List each block once.');
	});
}

function readEntry(entry: unknown, part: string, shown: INodeProperties): string {
	const { displayName: name, typeOptions } = shown;
	if (Array.isArray(entry) && entry.length > 0) {
		throw invalid(name, `${part} is a list`, typeOptions?.multipleValues ? USE_FROM_A_VALUE : FLATTEN_LIST);
	}
	// The editor stores an empty list for an entry in which nothing was entered.
	const given: unknown = Array.isArray(entry) ? '' : entry;
	const [value, what] = isObject(given) ? [given.id, `the "id" of ${part}`] : [given, part];
	return readId(value, name, 'Enter the ID of a block, or remove the entry.', what);
}

function readIds(text: string, field: string): unknown {
	if (!/^\s*[[{"]/.test(text)) return splitText(text);
	const entries = parseJson(text);
	if (entries !== undefined) return entries;
	const advice = text.includes('[object Object]')
		? 'The expression turned its list into text. Remove everything before and after its {{ }}.'
		: 'Check the brackets, quotation marks, and commas, or enter the IDs without them, one on each line.';
	throw invalid(field, 'the text is not valid JSON', advice);
}

/** Blank lines, and a comma at the end of a line, mean nothing. */
function splitText(text: string): string[] {
	const lines = text.split(/\r\n|\n|\r/).map((line) => line.trim().replace(/,$/, ''));
	return lines.filter(Boolean).flatMap((line) => line.split(','));
}
