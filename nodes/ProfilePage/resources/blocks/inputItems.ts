import type { IDataObject } from 'n8n-workflow';

import { textField } from '../../fields/field';
import { forItem, type Item } from '../../fields/item';
import { readId } from '../../fields/readers';
import { invalid } from '../../shared/failure';
import { getOrCreate, quotable } from '../../shared/values';
import type { Inputs } from '../operation';

const DISPLAY_NAME = 'Block ID Field';

export const blockIdField = textField(
	DISPLAY_NAME,
	'blockIdField',
	'Enter the name of the field that contains the block ID.',
	{
		requiresDataPath: 'single',
		required: true,
		default: 'id',
		placeholder: 'e.g. blockId',
		description:
			'The name of the field that contains the block ID in each input item. Use dots to reach a nested field.',
		displayOptions: { show: { blockOrder: ['inputItems'] } },
	},
);

/** Reads the block that each input item is, by its ID. Throws Failure if one is invalid, or occurs twice. */
export function readInputItems(inputs: Inputs): Map<string, Item> {
	const blocks = new Map<string, Item>();
	for (const item of inputs) {
		forItem(item, () => {
			const blockId = readInputItem(item);
			const first = getOrCreate(blocks, blockId, () => item);
			if (first === item) return;
			const problem = `block "${quotable(blockId)}" occurs twice on its page, in items ${first.index} and ${item.index}`;
			throw invalid(DISPLAY_NAME, problem, 'Include each block of a page in one input item.');
		});
	}
	return blocks;
}

function readInputItem(item: Item): string {
	const { json, index } = item;
	const path = blockIdField.read(item);
	const value = valueAt(json, path);
	if (value === undefined) {
		const advice = 'Enter the name of the field that contains the block ID, such as id, not the ID itself.';
		throw invalid(DISPLAY_NAME, `item ${index} has no field "${quotable(path)}"`, advice);
	}
	return readId(value, DISPLAY_NAME, 'Every input item needs a block ID.', `"${quotable(path)}" of item ${index}`);
}

/** A step of a path: a name, a number in brackets, or a name in brackets and quotation marks. */
const STEP = /\['([^']+)'\]|\["([^"]+)"\]|([^.[\]]+)/g;

/**
 * Returns the value at a path, which the editor writes as "block.id", "blocks[0].id", or "block['the id']" when a column is
 * dragged onto the field; undefined if there is none.
 */
function valueAt(json: IDataObject, path: string): unknown {
	// A field with dots in its own name wins over a path.
	const isName = Object.hasOwn(json, path);
	const names = isName ? [path] : Array.from(path.matchAll(STEP), ([, ...parts]) => parts.find(Boolean) ?? '');
	let value: unknown = json;
	for (const name of names) {
		if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
		value = Reflect.get(value, name);
	}
	return value;
}
