import { isBlankTemplate, noValue } from '../../fields/expression';
import { Field } from '../../fields/field';
import { readExactly, readText } from '../../fields/readers';
import { invalid } from '../../service/failure';
import { asObject, findRepeated, isBlank, isObject, parseJson, quotable, trimmed } from '../../shared/values';
import type { Names } from '../names';
import { type BlockIdsShown, codeIn } from './blockIds';

/** Blocks by ID or by name: one an entry, or a text, which is read once the names of the page are known. */
export type EnteredBlocks = string | readonly string[];

/** Returns a field for blocks of a page, by ID or by name. `ifEmpty` says what to do without any; if it is missing, there may be none. */
export function blocksField({ ifEmpty, ...shown }: BlockIdsShown): Field<EnteredBlocks> {
	const name = shown.displayName;
	return new Field(shown, (value, item) => {
		if (value === undefined || value === null || isBlankTemplate(item.raw(shown), value)) throw noValue(name);
		const entered = typeof value === 'string' ? trimmed(value) : readEntries(value, name);
		if (entered.length === 0 && ifEmpty !== undefined) throw invalid(name, 'the list is empty', ifEmpty);
		return entered;
	});
}

function readEntries(value: unknown, displayName: string): string[] {
	const list: unknown[] = Array.isArray(value) ? value : [value];
	return list.map((entry, index) => {
		const part = `entry ${index + 1}`;
		const { id, block_id: otherId, title, name, label } = asObject(entry);
		const given = id ?? otherId ?? title ?? name ?? label;
		const [text, what] = isObject(entry) ? [given, `the "id" of ${part}`] : [entry, part];
		// A number may have lost digits.
		const read = typeof text === 'number' ? readExactly : readText;
		return read(text, displayName, 'Enter the name or the ID of a block, or remove the entry.', what);
	});
}

/** Returns the IDs of the blocks that were entered, each once. Throws Failure if it is not certain which they are. */
export function findBlocks(entered: EnteredBlocks, names: Names, displayName: string): string[] {
	const texts = typeof entered === 'string' ? splitText(entered, names, displayName) : entered;
	const ids = texts.map((text) => names.findOne(text, displayName).id);
	const repeated = findRepeated(ids);
	if (!repeated) return ids;
	const [first, again] = repeated;
	const problem = `block "${quotable(texts[again] ?? '')}" is listed twice, as entries ${first + 1} and ${again + 1}`;
	throw invalid(displayName, problem, 'List each block once.');
}

/** Splits a text into what names one block each: all of it, the entries of a JSON array, or its lines and their parts. */
function splitText(text: string, names: Names, displayName: string): readonly string[] {
	if (names.find(text).length > 0) return [text];
	// Single backticks may be part of a name.
	const content = (text.includes('```') ? codeIn(text) : text).trim();
	const json = /^[[{"]/.test(content) ? parseJson(content) : undefined;
	if (typeof json === 'string') return splitText(json, names, displayName);
	if (json !== undefined) return readEntries(json, displayName);
	return content.split(/[\r\n]/).flatMap((line) => splitLine(line, names, displayName));
}

/** Names may contain them too. */
const SEPARATOR = /([,;\t])/;

function splitLine(line: string, names: Names, displayName: string): readonly string[] {
	if (names.find(line).length > 0) return [line];
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
