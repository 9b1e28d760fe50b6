import { randomInt } from 'node:crypto';

import type { Item } from '../../fields/item';
import { invalid } from '../../service/failure';
import { quotable } from '../../shared/values';
import { reorderFields } from './reorderFields';
import { readPositions } from './rotation';

/** How to change an order of blocks. */
export interface Arrangement {
	/** Returns the same blocks in another order. Throws Failure if a block of a field is not among them. */
	readonly arrange: (blockIds: readonly string[]) => string[];
	/** Whether blocks that are arranged twice end up in the same order. */
	readonly isIdempotent?: boolean;
	/** By how many positions the blocks rotate. */
	readonly positions?: number;
	/** The blocks that keep their positions. */
	readonly kept?: ReadonlySet<string>;
}

/** For a given order, and for the current one: the fields of its arrangement, and what to say of a block that is missing. */
const FIELDS = {
	given: {
		arrangement: reorderFields.arrangement,
		blocksToMove: reorderFields.blocksToMove,
		blocksToKeep: reorderFields.blocksToKeep,
		readPositions,
		missing: ['is not in the order of the page', 'Correct its ID, or add the block to the order.'],
	},
	current: {
		arrangement: reorderFields.currentArrangement,
		blocksToMove: reorderFields.currentBlocksToMove,
		blocksToKeep: reorderFields.currentBlocksToKeep,
		readPositions: (item: Item) => reorderFields.currentPositions.read(item),
		missing: ['is not on the page', 'It may have been removed, or be on another page. Choose the blocks again.'],
	},
} as const;

type Fields = (typeof FIELDS)[keyof typeof FIELDS];

/** Reads how to arrange the order that is given, or the current one of a page. Throws Failure if a field is invalid. */
export function readArrangement(item: Item, order: keyof typeof FIELDS): Arrangement {
	const fields: Fields = FIELDS[order];
	return arrangements[fields.arrangement.read(item)](item, fields);
}

/** By the values of the field Arrangement. */
const arrangements = {
	asListed: () => ({ arrange: (blockIds) => [...blockIds] }),
	moveToBottom: (item, fields) => move(item, fields, (moved, others) => [...others, ...moved]),
	moveToTop: (item, fields) => move(item, fields, (moved, others) => [...moved, ...others]),
	reverse: (item, fields) => moveOthers(item, fields, (blockIds) => blockIds.toReversed()),
	rotate: (item, fields) => {
		const positions = fields.readPositions(item);
		return { ...moveOthers(item, fields, (blockIds) => rotate(blockIds, positions)), positions };
	},
	shuffle: (item, fields) => moveOthers(item, fields, (blockIds) => shuffle(blockIds)),
} satisfies Record<string, (item: Item, fields: Fields) => Arrangement>;

/** Moves some blocks, in the order of the field. */
function move(item: Item, fields: Fields, join: (moved: string[], others: string[]) => string[]): Arrangement {
	const moved = fields.blocksToMove.read(item);
	const arrange = (blockIds: readonly string[]) =>
		join(moved, without(blockIds, moved, fields.blocksToMove.shown.displayName, fields));
	return { arrange, isIdempotent: true };
}

/** Arranges all blocks but those to keep in place: the others move among the rest of the positions. */
function moveOthers(item: Item, fields: Fields, arrangeOthers: (blockIds: string[]) => string[]): Arrangement {
	const kept = new Set(fields.blocksToKeep.read(item));
	const arrange = (blockIds: readonly string[]) => {
		const others = arrangeOthers(without(blockIds, [...kept], fields.blocksToKeep.shown.displayName, fields)).values();
		return blockIds.map((id) => (kept.has(id) ? id : (others.next().value ?? id)));
	};
	return { arrange, kept };
}

/** Returns the blocks that are not among those of a field. Throws Failure if one of these is missing. */
function without(blockIds: readonly string[], ofField: readonly string[], name: string, { missing }: Fields): string[] {
	const others = new Set(blockIds);
	const unknown = ofField.find((id) => !others.delete(id));
	if (unknown === undefined) return [...others];
	const [problem, advice] = missing;
	throw invalid(name, `block "${quotable(unknown)}" ${problem}`, advice);
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
	for (let last = shuffled.length - 1; last >= 0; last -= 1) {
		const other = random(last + 1);
		[shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T];
	}
	return shuffled;
}
