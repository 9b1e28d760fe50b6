import type { INodeProperties } from 'n8n-workflow';

import { Field } from '../../fields/field';
import { readId, readNameOrId } from '../../fields/readers';
import { invalid } from '../../shared/failure';
import { isBlank, isObject, parseJson, trimmed } from '../../shared/values';
import { blockList, NAME_PROPERTIES } from '../pages/configuredLists';

/** How a list says which blocks it means. */
interface Notation {
	/** What separates the blocks in a text. */
	readonly separators: RegExp;
	/** Where a block, as a list of the service contains it, says which one it is. */
	readonly properties: readonly string[];
	readonly read: typeof readNameOrId;
	/** What to do about an invalid entry. */
	readonly advice: string;
}

export const IDS: Notation = {
	separators: /[\r\n\t,;]/,
	properties: blockList.idProperties,
	read: readId,
	advice:
		'Enter IDs of blocks without other text, one on each line. To set an order of names, use the operation Move Blocks, with Move to Top and all names in their order.',
};

export const NAMES_AND_IDS: Notation = {
	separators: /[\r\n]/,
	properties: [...blockList.idProperties, ...NAME_PROPERTIES],
	read: readNameOrId,
	advice: 'Enter the name or the ID of a block, or remove the entry.',
};

/**
 * A field for blocks: a list, a JSON array, or a text with separators. Its value are the IDs or names, as entered.
 *
 * @param ifEmpty what to do if there is none; without it, that is allowed
 */
export function blocksField(shown: INodeProperties, notation: Notation, ifEmpty?: string): Field<string[]> {
	const { displayName } = shown;
	const { separators, properties, read, advice } = notation;
	return new Field(shown, (value) => {
		const list = listOf(value, separators);
		if (list.length === 0 && ifEmpty !== undefined) throw invalid(displayName, 'the list is empty', ifEmpty);
		return list.map((entry, index) => {
			const part = `entry ${index + 1}`;
			if (!isObject(entry)) return read(entry, displayName, advice, part);
			const property = properties.find((name) => !isBlank(entry[name])) ?? 'id';
			return read(entry[property], displayName, advice, `the "${property}" of ${part}`);
		});
	});
}

/** Returns the entries of a list, of a JSON array, or of a text with separators. A single block needs no list. */
function listOf(value: unknown, separators: RegExp): unknown[] {
	if (typeof value !== 'string') return isBlank(value) ? [] : [value].flat();
	const json = /^\s*[[{]/.test(value) ? parseJson(value) : undefined;
	return json === undefined ? value.split(separators).map(trimmed).filter(Boolean) : [json].flat();
}
