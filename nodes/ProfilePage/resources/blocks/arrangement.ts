import { randomInt } from 'node:crypto';

import type { Item } from '../../fields/item';
import { shorten } from '../../fields/readers';
import { invalid } from '../../service/types';
import { reorderFields } from './reorderFields';
import { readPositions } from './rotation';

/** Returns the same blocks in another order. Throws Failed if a field is invalid, or does not fit the blocks. */
type Arrange = (blockIds: readonly string[], item: Item) => string[];

/** The arrangements, by the value of the field. */
export const arrangements = {
	asListed: (blockIds) => [...blockIds],
	moveToBottom: (blockIds, item) => pickBlocks(blockIds, item).toReversed().flat(),
	moveToTop: (blockIds, item) => pickBlocks(blockIds, item).flat(),
	reverse: (blockIds) => blockIds.toReversed(),
	rotate: (blockIds, item) => rotate(blockIds, readPositions(item)),
	shuffle: (blockIds) => shuffle(blockIds),
} satisfies Record<string, Arrange>;

/** Returns the blocks to move, in the order in which they are listed, and the others. */
function pickBlocks(blockIds: readonly string[], item: Item): [moved: string[], others: string[]] {
	const moved = reorderFields.blocksToMove.read(item);
	const advice = 'Correct its ID, or add the block to the order.';
	return [moved, without(blockIds, moved, 'is not in the order of the page', advice)];
}

/** Returns the blocks that do not move. Throws Failed if one to move is not among the blocks. */
function without(blockIds: readonly string[], moved: string[], problem: string, advice: string): string[] {
	const others = new Set(blockIds);
	const missing = moved.find((id) => !others.delete(id));
	if (missing === undefined) return [...others];
	throw invalid(reorderFields.blocksToMove.shown.displayName, `block "${shorten(missing)}" ${problem}`, advice);
}

/** How to change the current order of a page. */
export interface CurrentArrangement {
	/** Returns the same blocks in another order. Throws Failed if one to move is not among them. */
	readonly arrange: (blockIds: readonly string[]) => string[];
	readonly moved?: readonly string[];
}

/** The arrangements of the current order, by the value of the field. They throw Failed if a field is invalid. */
export const currentArrangements = {
	moveToBottom: (item) => moveBlocks(item, (moved, others) => [...others, ...moved]),
	moveToTop: (item) => moveBlocks(item, (moved, others) => [...moved, ...others]),
	reverse: () => ({ arrange: arrangements.reverse }),
	rotate: (item) => {
		const positions = reorderFields.currentPositions.read(item);
		return { arrange: (blockIds) => rotate(blockIds, positions) };
	},
	shuffle: () => ({ arrange: arrangements.shuffle }),
} satisfies Record<string, (item: Item) => CurrentArrangement>;

function moveBlocks(item: Item, join: (moved: string[], others: string[]) => string[]): CurrentArrangement {
	const moved = reorderFields.currentBlocksToMove.read(item);
	const advice = 'It may have been removed, or be on another page. Choose the blocks again.';
	return { moved, arrange: (blockIds) => join(moved, without(blockIds, moved, 'is not on the page', advice)) };
}

/** Moves the first entries to the end, as many as `positions` says; the last ones to the front if it is negative. */
export function rotate<T>(list: readonly T[], positions: number): T[] {
	const start = positions % list.length;
	return [...list.slice(start), ...list.slice(0, start)];
}

/**
 * Returns the list in a random order, each with the same probability (Fisher–Yates).
 *
 * @param random returns a whole number from 0 to below `limit`, each with the same probability
 */
export function shuffle<T>(list: readonly T[], random = (limit: number) => randomInt(limit)): T[] {
	const shuffled = [...list];
	for (let left = shuffled.length; left > 0; left -= 1) {
		const last = left - 1;
		const other = random(left);
		[shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T];
	}
	return shuffled;
}
