import { FieldError } from '../../errors';
import { readText } from '../../fields/readText';
import { shorten } from '../../fields/shorten';

/**
 * Reads the order of a page's blocks, as users and expressions give it.
 *
 * @param value a list of IDs, or of objects with an `id`; or a text that holds a JSON array of them,
 *   or IDs separated by commas or new lines
 * @param field the field's name as the editor shows it
 * @param nestedListAdvice what to do if an entry is a list of its own
 * @returns the IDs, the top block first; at least one, each once
 * @throws FieldError if there is no ID, one is empty or given twice, or the text is broken JSON
 */
export function readBlockOrder(value: unknown, field: string, nestedListAdvice: string): string[] {
	const entries = typeof value === 'string' ? readEntries(value, field) : (value ?? []);
	if (!Array.isArray(entries)) {
		throw new FieldError(
			field,
			'the value is not a list. Give a list of block IDs, or of blocks with an "id".',
		);
	}
	const ids = entries.map((entry, index) => {
		const part = `entry ${index + 1}`;
		if (Array.isArray(entry)) {
			throw new FieldError(field, `${part} is a list of its own. ${nestedListAdvice}`);
		}
		return readBlockId(entry, field, part);
	});
	checkOrder(ids, field);
	return ids;
}

function readBlockId(entry: unknown, field: string, part: string): string {
	return readText(idOf(entry), {
		field,
		part: isBlock(entry) ? `the "id" of ${part}` : part,
		advice: 'Give it the ID of a block, or take it out.',
	});
}

function checkOrder(ids: readonly string[], field: string): void {
	if (ids.length === 0) {
		throw new FieldError(field, 'there is none. List every block of the page, the top one first.');
	}
	const firstEntries = new Map<string, number>();
	for (const [index, id] of ids.entries()) {
		const first = firstEntries.get(id);
		if (first !== undefined) {
			throw new FieldError(
				field,
				`block "${shorten(id)}" is listed twice, as entries ${first + 1} and ${index + 1}. List each block once.`,
			);
		}
		firstEntries.set(id, index);
	}
}

function readEntries(text: string, field: string): unknown {
	return /^\s*[[{"]/.test(text) ? parseJson(text, field) : splitText(text);
}

/** A comma or a new line ends an ID. Blank lines and a comma before a new line mean nothing. */
function splitText(text: string): string[] {
	return text
		.split(/\r\n|\n|\r/)
		.map((line) => line.trim().replace(/,$/, ''))
		.filter(Boolean)
		.flatMap((line) => line.split(','));
}

function parseJson(text: string, field: string): unknown {
	const entries = parseOrUndefined(text);
	if (entries === undefined) {
		const advice = text.includes('[object Object]')
			? 'The expression has turned its list into text: remove what stands before or after its {{ }}.'
			: 'Check its brackets, quotation marks and commas, or give the IDs without any of them, one on a line.';
		throw new FieldError(field, `the text begins like JSON and is not. ${advice}`);
	}
	checkNumbers(entries, text, field);
	return entries;
}

function parseOrUndefined(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

/** A number that does not read back as it was written was an ID with digits that are now lost. */
function checkNumbers(entries: unknown, json: string, field: string): void {
	if (!Array.isArray(entries)) return;
	const written = JSON.parse(numbersAsTexts(json)) as unknown[];
	for (const [index, entry] of entries.entries()) {
		const [id, text] = [idOf(entry), idOf(written[index])];
		if (typeof id === 'number' && String(id) !== text) {
			throw new FieldError(
				field,
				`the number ${shorten(String(text))} in entry ${index + 1} would lose digits. Put it in quotation marks.`,
			);
		}
	}
}

function numbersAsTexts(json: string): string {
	return json.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
		token.startsWith('"') ? token : `"${token}"`,
	);
}

/** @returns the `id` of a block; what is no block is taken for the ID itself */
function idOf(entry: unknown): unknown {
	return isBlock(entry) ? entry.id : entry;
}

function isBlock(entry: unknown): entry is { id?: unknown } {
	return typeof entry === 'object' && entry !== null;
}
