import type { INodeProperties } from 'n8n-workflow';

import { followPath, noValue, parsePath } from '../../fields/expression';
import type { Item } from '../../fields/item';
import { readText, shorten } from '../../fields/readers';
import { invalid } from '../../service/types';
import { isObject, parseJson } from '../../shared/values';
import { reorderFields } from './reorderFields';

/** A string or number in a JSON text. */
const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

const FLATTEN_LIST = 'Enter one flat list of block IDs. In an expression, .flat() flattens nested lists.';
const USE_FROM_A_VALUE = 'To use a list from an expression, set Block Order to From a Value.';

/**
 * Reads a list of blocks.
 *
 * @param list a list of IDs, or of objects with an `id`; or text that is a JSON array of them, or IDs separated by
 *   commas or new lines
 * @param ifEmpty what to do if the list is empty
 * @returns their IDs, in the order of the list: at least one, each once
 * @throws Failed if there is no ID, one is invalid or listed twice, or the JSON is invalid
 */
export function readBlockIds(list: unknown, field: INodeProperties, ifEmpty: string): string[] {
	const name = field.displayName;
	if (list === undefined || list === null) throw noValue(name);
	const entries = typeof list === 'string' ? readEntries(list, name) : list;
	if (!Array.isArray(entries)) {
		throw invalid(name, 'the value is not a list', 'Enter a list of block IDs, or of blocks with an "id".');
	}
	if (entries.length === 0) throw invalid(name, 'the list is empty', ifEmpty);
	const entryNumbers = new Map<string, number>();
	for (const [index, entry] of entries.entries()) {
		const part = `entry ${index + 1}`;
		if (Array.isArray(entry) && entry.length > 0) {
			const advice = field.typeOptions?.multipleValues ? USE_FROM_A_VALUE : FLATTEN_LIST;
			throw invalid(name, `${part} is a list`, advice);
		}
		// The editor stores an empty list for an entry in which nothing was entered.
		const given: unknown = Array.isArray(entry) ? '' : entry;
		const [value, what] = isObject(given) ? [given.id, `the "id" of ${part}`] : [given, part];
		const id = readText(value, name, 'Enter the ID of a block, or remove the entry.', what);
		const earlier = entryNumbers.get(id);
		if (earlier !== undefined) {
			const problem = `block "${shorten(id)}" is listed twice, as entries ${earlier} and ${index + 1}`;
			throw invalid(name, problem, 'List each block once.');
		}
		entryNumbers.set(id, index + 1);
	}
	return [...entryNumbers.keys()];
}

function readEntries(text: string, field: string): unknown {
	if (!/^\s*[[{"]/.test(text)) return splitText(text);
	const entries = parseJson(text);
	if (entries === undefined) {
		const advice = text.includes('[object Object]')
			? 'The expression turned its list into text. Remove everything before and after its {{ }}.'
			: 'Check the brackets, quotation marks, and commas, or enter the IDs without them, one on each line.';
		throw invalid(field, 'the text is not valid JSON', advice);
	}
	checkNumbers(text, entries, field);
	return entries;
}

/** Blank lines, and a comma at the end of a line, mean nothing. */
function splitText(text: string): string[] {
	const lines = text.split(/\r\n|\n|\r/).map((line) => line.trim().replace(/,$/, ''));
	return lines.filter(Boolean).flatMap((line) => line.split(','));
}

/** Throws Failed if the parser changes a number: it was an ID that lost digits. */
function checkNumbers(json: string, entries: unknown, field: string): void {
	const asTexts = json.replace(JSON_TOKEN, (token) => (token.startsWith('"') ? token : `"${token}"`));
	const written = idsIn(parseJson(asTexts));
	for (const [index, id] of idsIn(entries).entries()) {
		if (typeof id !== 'number' || String(id) === written[index]) continue;
		const problem = `the number ${shorten(String(written[index]))} in entry ${index + 1} would lose digits`;
		throw invalid(field, problem, 'Put it in quotation marks.');
	}
}

function idsIn(entries: unknown): unknown[] {
	return Array.isArray(entries) ? entries.map((entry: unknown) => (isObject(entry) ? entry.id : entry)) : [];
}

/**
 * Adds the block of an input item to `itemsByBlock`, which maps the blocks of a page to their items, and returns its ID.
 * Throws Failed if the path or the ID is invalid, or the page already has the block.
 */
export function addBlock(itemsByBlock: Map<string, Item>, item: Item): string {
	const { json, index } = item;
	const field = reorderFields.blockIdField.displayName;
	const path = item.text(reorderFields.blockIdField, 'Enter the name of the field that contains the block ID.');
	// A field with dots in its own name wins over a path.
	const value = followPath(json, Object.hasOwn(json, path) ? [path] : parsePath(path));
	if (value === undefined) {
		const advice = 'Enter the name of the field that contains the block ID, such as id, not the ID itself.';
		throw invalid(field, `item ${index} has no field "${shorten(path)}"`, advice);
	}
	const what = `"${shorten(path)}" of item ${index}`;
	const blockId = readText(value, field, 'Every input item needs a block ID.', what);
	const earlier = itemsByBlock.get(blockId);
	if (earlier) {
		const problem = `block "${shorten(blockId)}" occurs twice on its page, in items ${earlier.index} and ${index}`;
		throw invalid(field, problem, 'Include each block of a page in one input item.');
	}
	itemsByBlock.set(blockId, item);
	return blockId;
}
