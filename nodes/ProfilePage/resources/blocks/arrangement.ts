import type { Item } from '../../item/item';
import { shorten } from '../../item/readers';
import { ValidationError } from '../../shared/errors';
import { arrangementFields } from './arrangementFields';
import { FLATTEN_LIST, readBlockIds } from './blockIds';
import { rotate, shuffle } from './permutations';
import { readPositions } from './rotation';

const { blocksToMove } = arrangementFields;

/**
 * The arrangements, by the value of the field. Each returns the same blocks in another order, by the other fields of an
 * item. Throws ValidationError if a field is invalid, or does not fit the blocks.
 */
export const arrangements = {
	asListed: (blockIds: readonly string[]) => [...blockIds],
	moveToBottom: (blockIds: readonly string[], item: Item) => {
		const { moved, others } = pickBlocks(blockIds, item);
		return [...others, ...moved];
	},
	moveToTop: (blockIds: readonly string[], item: Item) => {
		const { moved, others } = pickBlocks(blockIds, item);
		return [...moved, ...others];
	},
	reverse: (blockIds: readonly string[]) => [...blockIds].reverse(),
	rotate: (blockIds: readonly string[], item: Item) => rotate(blockIds, readPositions(item)),
	shuffle: (blockIds: readonly string[]) => shuffle(blockIds),
};

/** Separates the blocks to move, in the order in which they are listed, from the others. */
function pickBlocks(blockIds: readonly string[], item: Item): { moved: string[]; others: Set<string> } {
	const field = blocksToMove.displayName;
	const ifEmpty = 'List the blocks to move, or set Arrangement to As Listed.';
	const list = { field, ifEmpty, ifNested: FLATTEN_LIST };
	const moved = readBlockIds(item.value(blocksToMove), list);
	const others = new Set(blockIds);
	for (const id of moved) {
		if (others.delete(id)) continue;
		const problem = `block "${shorten(id)}" is not in the order of the page`;
		throw new ValidationError(field, problem, 'Correct its ID, or add the block to the order.');
	}
	return { moved, others };
}
