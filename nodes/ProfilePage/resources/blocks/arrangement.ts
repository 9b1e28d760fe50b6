import { randomInt } from 'node:crypto';

/** How to change an order of blocks. It names blocks by their IDs. */
export type Arrangement =
	| { readonly kind: 'asListed' }
	/** The blocks that it moves are in their new order. */
	| { readonly kind: 'moveToBottom' | 'moveToTop'; readonly moved: readonly string[] }
	| { readonly kind: 'reverse' | 'shuffle'; readonly kept: readonly string[] }
	/** Moves as many blocks from the top to the bottom; from the bottom to the top if `positions` is negative. */
	| { readonly kind: 'rotate'; readonly kept: readonly string[]; readonly positions: number };

/** Returns the same blocks in another order. All blocks that the arrangement names must be among them. */
export function arrange(blockIds: readonly string[], arrangement: Arrangement): string[] {
	switch (arrangement.kind) {
		case 'asListed':
			return [...blockIds];
		case 'moveToTop':
			return [...arrangement.moved, ...without(blockIds, arrangement.moved)];
		case 'moveToBottom':
			return [...without(blockIds, arrangement.moved), ...arrangement.moved];
		case 'reverse':
			return aroundKept(blockIds, arrangement.kept, (others) => others.toReversed());
		case 'rotate':
			return aroundKept(blockIds, arrangement.kept, (others) => rotate(others, arrangement.positions));
		case 'shuffle':
			return aroundKept(blockIds, arrangement.kept, (others) => shuffle(others));
	}
}

/** Reorders the blocks that are not kept in place, in the positions that are not those of the kept ones. */
function aroundKept(
	ids: readonly string[],
	kept: readonly string[],
	reorder: (others: string[]) => string[],
): string[] {
	const [isKept, next] = [new Set(kept), reorder(without(ids, kept)).values()];
	return ids.map((id) => (isKept.has(id) ? id : (next.next().value ?? id)));
}

/** Returns the blocks that an arrangement does not keep in place. */
export function movableIn(blockIds: readonly string[], arrangement: Arrangement): string[] {
	return 'kept' in arrangement ? without(blockIds, arrangement.kept) : [...blockIds];
}

function without(blockIds: readonly string[], others: readonly string[]): string[] {
	const excluded = new Set(others);
	return blockIds.filter((id) => !excluded.has(id));
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
