import type { INodeProperties } from 'n8n-workflow';

import { Field } from '../../fields/field';
import { readId, readNameOrId } from '../../fields/readers';
import { invalid } from '../../shared/failure';
import { isBlank, isObject, parseJson, quotable, trimmed } from '../../shared/values';
import { blockList, NAME_PROPERTIES } from '../configuredLists';

const ENTER_ID =
	'Enter IDs of blocks without other text, one on each line. To set an order of names, use the operation Move Blocks, with Move to Top and all names in their order.';
const LIST_ALL = 'List every block on the page, from top to bottom, or use the operation Move Blocks.';
const ENTER_NAME = 'Enter the name or the ID of a block, or remove the entry.';

/**
 * A field for blocks by ID: a list of IDs or of blocks, a JSON array of them, or a text with IDs between line breaks, tabs,
 * commas, and semicolons. Its value are the IDs, at least one, each once.
 */
export function idsField(shown: INodeProperties): Field<string[]> {
	const { displayName } = shown;
	return new Field(shown, (value) => {
		const ids = listOf(value, /[\r\n\t,;]/).map((entry, index) => {
			const [id, part] = findValue(entry, index, blockList.idProperties);
			return readId(id, displayName, ENTER_ID, part);
		});
		if (ids.length === 0) throw invalid(displayName, 'the list is empty', LIST_ALL);
		const seen = new Set<string>();
		const repeated = ids.find((id) => seen.size === seen.add(id).size);
		if (repeated === undefined) return ids;
		throw invalid(displayName, `block "${quotable(repeated)}" is listed twice`, 'List each block once.');
	});
}

/**
 * A field for blocks by name or ID: a list of names, IDs, or blocks, a JSON array of them, or a text with one on each line.
 * Its value are the names and IDs, as entered. `ifEmpty` says what to do if there is none; without it, that is allowed.
 */
export function namesField(shown: INodeProperties, ifEmpty?: string): Field<string[]> {
	const { displayName } = shown;
	return new Field(shown, (value) => {
		const list = listOf(value, /[\r\n]/);
		if (list.length === 0 && ifEmpty !== undefined) throw invalid(displayName, 'the list is empty', ifEmpty);
		return list.map((entry, index) => {
			const [name, part] = findValue(entry, index, [...blockList.idProperties, ...NAME_PROPERTIES]);
			return readNameOrId(name, displayName, ENTER_NAME, part);
		});
	});
}

/** Returns the entries of a list, of a JSON array, or of a text with separators. A single block needs no list. */
function listOf(value: unknown, separators: RegExp): unknown[] {
	if (typeof value !== 'string') return isBlank(value) ? [] : [value].flat();
	const json = /^\s*[[{]/.test(value) ? parseJson(value) : undefined;
	return json === undefined ? value.split(separators).map(trimmed).filter(Boolean) : [json].flat();
}

/** Returns what says which block an entry is, and how messages call that. */
function findValue(entry: unknown, index: number, properties: readonly string[]): [value: unknown, part: string] {
	const part = `entry ${index + 1}`;
	if (!isObject(entry)) return [entry, part];
	const property = properties.find((name) => !isBlank(entry[name])) ?? 'id';
	return [entry[property], `the "${property}" of ${part}`];
}
