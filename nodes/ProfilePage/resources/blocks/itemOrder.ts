import { FieldError } from '../../errors';
import { followPath, parsePath } from '../../fields/followPath';
import { readText } from '../../fields/readText';
import { shorten } from '../../fields/shorten';

const FIELD = 'Block ID Field';

/** A page whose blocks come from input items: which item carries each block, the top one first. */
export interface PageOfItems {
	readonly pageId: string;
	readonly itemsByBlock: Map<string, number>;
}

/**
 * Puts the block that an input item carries at the end of its page.
 *
 * @param page the page so far; changed
 * @param json the data of the item
 * @param field the name of the field that holds the block ID, or a path to it ("block.id")
 * @throws FieldError if that is not a text, the item has no block ID there, or the page has the block
 *   already
 */
export function addItem(page: PageOfItems, json: object, field: unknown, itemIndex: number): void {
	const path = readText(field, {
		field: FIELD,
		advice: 'Enter the name of the field that holds the block ID.',
	});
	const value = readPath(json, path);
	if (value === undefined) {
		throw new FieldError(
			FIELD,
			`item ${itemIndex} has no field "${shorten(path)}". Enter the name of the field that holds the block ID, such as id, not the ID itself.`,
		);
	}
	const blockId = readText(value, {
		field: FIELD,
		part: `"${shorten(path)}" of item ${itemIndex}`,
		advice: 'Every input item needs the ID of a block there.',
	});
	const twin = page.itemsByBlock.get(blockId);
	if (twin !== undefined) {
		throw new FieldError(
			FIELD,
			`block "${shorten(blockId)}" comes twice for page "${shorten(page.pageId)}", with items ${twin} and ${itemIndex}. Let each block of a page come in once.`,
		);
	}
	page.itemsByBlock.set(blockId, itemIndex);
}

/** A field whose own name holds dots wins over a path. */
function readPath(json: object, path: string): unknown {
	return followPath(json, Object.hasOwn(json, path) ? [path] : parsePath(path));
}
