import { randomInt } from 'node:crypto';

import type { Field } from '../../fields/field';
import type { Item } from '../../fields/item';
import { shorten } from '../../fields/readers';
import { invalid } from '../../service/failure';
import type { Explanation } from '../../service/request';
import { reorderFields } from './reorderFields';
import { readPositions } from './rotation';

/** How to change an order of blocks. */
export interface Arrangement {
	/** Returns the same blocks in another order. Throws Failed if one to move is not among them. */
	readonly arrange: (blockIds: readonly string[]) => string[];
	/** The blocks that move to the top or the bottom. */
	readonly moved?: readonly string[];
	/** By how many positions the blocks rotate. */
	readonly positions?: number;
}

/** Where the details of an arrangement are entered. */
interface Details {
	readonly blocksToMove: Field<string[]>;
	readonly readPositions: (item: Item) => number;
	/** A block to move is missing. */
	readonly missing: Explanation;
}

/** The details for an order that is given. */
const GIVEN: Details = {
	blocksToMove: reorderFields.blocksToMove,
	readPositions,
	missing: ['is not in the order of the page', 'Correct its ID, or add the block to the order.'],
};

/** The details for the current order of a page. */
const CURRENT: Details = {
	blocksToMove: reorderFields.currentBlocksToMove,
	readPositions: (item) => reorderFields.currentPositions.read(item),
	missing: ['is not on the page', 'It may have been removed, or be on another page. Choose the blocks again.'],
};

/** Reads how to arrange an order that is given. Throws Failed if a field is invalid. */
export function readArrangement(item: Item): Arrangement {
	return arrangements[reorderFields.arrangement.read(item)](item, GIVEN);
}

/** Reads how to arrange the current order of a page. Throws Failed if a field is invalid. */
export function readCurrentArrangement(item: Item): Arrangement {
	return arrangements[reorderFields.currentArrangement.read(item)](item, CURRENT);
}

/** By the values of the two fields. */
const arrangements = {
	asListed: () => ({ arrange: (blockIds) => [...blockIds] }),
	moveToBottom: (item, details) => move(item, details, (moved, others) => [...others, ...moved]),
	moveToTop: (item, details) => move(item, details, (moved, others) => [...moved, ...others]),
	reverse: () => ({ arrange: (blockIds) => blockIds.toReversed() }),
	rotate: (item, details) => {
		const positions = details.readPositions(item);
		return { arrange: (blockIds) => rotate(blockIds, positions), positions };
	},
	shuffle: () => ({ arrange: (blockIds) => shuffle(blockIds) }),
} satisfies Record<string, (item: Item, details: Details) => Arrangement>;

function move(item: Item, details: Details, join: (moved: string[], others: string[]) => string[]): Arrangement {
	const { blocksToMove, missing } = details;
	const moved = blocksToMove.read(item);
	const arrange = (blockIds: readonly string[]) => {
		const others = new Set(blockIds);
		const unknown = moved.find((id) => !others.delete(id));
		if (unknown === undefined) return join(moved, [...others]);
		const [problem, advice] = missing;
		throw invalid(blocksToMove.shown.displayName, `block "${shorten(unknown)}" ${problem}`, advice);
	};
	return { moved, arrange };
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
