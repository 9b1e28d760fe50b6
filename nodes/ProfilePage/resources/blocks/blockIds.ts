import { CHECK_NAMES, followPath, parsePath } from '../../item/expression';
import type { Item } from '../../item/item';
import { readText, shorten } from '../../item/readers';
import { ValidationError } from '../../shared/errors';
import { isObject, parseJson } from '../../shared/values';
import { reorderFields } from './reorderFields';

/** A string or number in a JSON text. */
const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

export const FLATTEN_LIST = 'Enter one flat list of block IDs. In an expression, .flat() flattens nested lists.';

/** A field that contains a list of block IDs, by its name in the editor, and what to do about an invalid list. */
interface BlockIdsField {
	readonly field: string;
	readonly ifEmpty: string;
	/** What to do if an entry is a list. */
	readonly ifNested: string;
}

/**
 * Reads a list of blocks.
 *
 * @param value a list of IDs, or of objects with an `id`; or text that is a JSON array of them, or IDs
 *   separated by commas or new lines
 * @returns their IDs, in the order of the list: at least one, each once
 * @throws ValidationError if there is no ID, one is invalid or listed twice, or the JSON is invalid
 */
export function readBlockIds(value: unknown, { field, ifEmpty, ifNested }: BlockIdsField): string[] {
	if (value === undefined || value === null) {
		throw new ValidationError(field, 'the expression returns no value', CHECK_NAMES);
	}
	const entries = typeof value === 'string' ? readEntries(value, field) : value;
	if (!Array.isArray(entries)) {
		const advice = 'Enter a list of block IDs, or of blocks with an "id".';
		throw new ValidationError(field, 'the value is not a list', advice);
	}
	if (entries.length === 0) throw new ValidationError(field, 'the list is empty', ifEmpty);
	const entryNumbers = new Map<string, number>();
	for (const [index, entry] of entries.entries()) {
		const part = `entry ${index + 1}`;
		// The editor stores an empty list for an entry in which nothing was entered.
		if (Array.isArray(entry) && entry.length > 0) {
			throw new ValidationError(field, `${part} is a list`, ifNested);
		}
		const name = isObject(entry) ? `the "id" of ${part}` : part;
		const id = readText(idOf(entry), field, 'Enter the ID of a block, or remove the entry.', name);
		const earlier = entryNumbers.get(id);
		if (earlier !== undefined) {
			const problem = `block "${shorten(id)}" is listed twice, as entries ${earlier} and ${index + 1}`;
			throw new ValidationError(field, problem, 'List each block once.');
		}
		entryNumbers.set(id, index + 1);
	}
	return [...entryNumbers.keys()];
}

function idOf(entry: unknown): unknown {
	if (Array.isArray(entry) && entry.length === 0) return '';
	return isObject(entry) ? entry.id : entry;
}

function readEntries(text: string, field: string): unknown {
	if (!/^\s*[[{"]/.test(text)) return splitText(text);
	const entries = parseJson(text);
	if (entries === undefined) {
		const advice = text.includes('[object Object]')
			? 'The expression turned its list into text. Remove everything before and after its {{ }}.'
			: 'Check the brackets, quotation marks, and commas, or enter the IDs without them, one on each line.';
		throw new ValidationError(field, 'the text is not valid JSON', advice);
	}
	if (Array.isArray(entries)) checkNumbers(entries, text, field);
	return entries;
}

/** Blank lines, and a comma at the end of a line, mean nothing. */
function splitText(text: string): string[] {
	return text
		.split(/\r\n|\n|\r/)
		.map((line) => line.trim().replace(/,$/, ''))
		.filter(Boolean)
		.flatMap((line) => line.split(','));
}

/** Throws ValidationError if the parser changed a number: it was an ID that lost digits. */
function checkNumbers(entries: readonly unknown[], json: string, field: string): void {
	const asText = json.replace(JSON_TOKEN, (token) => (token.startsWith('"') ? token : `"${token}"`));
	const written = parseJson(asText);
	for (const [index, entry] of entries.entries()) {
		const id = idOf(entry);
		const digits = Array.isArray(written) ? idOf(written[index]) : undefined;
		if (typeof id === 'number' && String(id) !== digits) {
			const problem = `the number ${shorten(String(digits))} in entry ${index + 1} would lose digits`;
			throw new ValidationError(field, problem, 'Put it in quotation marks.');
		}
	}
}

/**
 * Adds the block of an input item to `itemsByBlock`, which maps the blocks of a page to their items, and returns its ID.
 * Throws ValidationError if the path or the ID is invalid, or the page already has the block.
 */
export function addBlock(itemsByBlock: Map<string, Item>, item: Item): string {
	const { json, index } = item;
	const field = reorderFields.blockIdField.displayName;
	const path = item.value(reorderFields.blockIdField);
	const name = readText(path, field, 'Enter the name of the field that contains the block ID.');
	// A field with dots in its own name wins over a path.
	const value = followPath(json, Object.hasOwn(json, name) ? [name] : parsePath(name));
	if (value === undefined) {
		const advice = 'Enter the name of the field that contains the block ID, such as id, not the ID itself.';
		throw new ValidationError(field, `item ${index} has no field "${shorten(name)}"`, advice);
	}
	const part = `"${shorten(name)}" of item ${index}`;
	const blockId = readText(value, field, 'Every input item needs a block ID.', part);
	const earlier = itemsByBlock.get(blockId);
	if (earlier) {
		const problem = `block "${shorten(blockId)}" occurs twice on its page, in items ${earlier.index} and ${index}`;
		throw new ValidationError(field, problem, 'Include each block of a page in one input item.');
	}
	itemsByBlock.set(blockId, item);
	return blockId;
}
