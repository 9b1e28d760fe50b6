import { randomInt } from 'node:crypto';

export interface Arrangement {
	readonly kind: 'asListed' | 'moveToBottom' | 'moveToTop' | 'reverse' | 'rotate' | 'shuffle';
	/** The blocks to move, in their new order. */
	readonly moved: readonly string[];
	readonly kept: readonly string[];
	/** How many blocks a rotation moves from the top to the bottom; from the bottom to the top if it is negative. */
	readonly positions: number;
}

/** Whether an arrangement moves some blocks, and leaves the others in their order. */
export function movesSome(kind: Arrangement['kind']): kind is 'moveToBottom' | 'moveToTop' {
	return kind === 'moveToBottom' || kind === 'moveToTop';
}

/** Returns the same blocks in another order. All blocks that the arrangement names must be among them. */
export function arrange(blockIds: readonly string[], { kind, moved, kept, positions }: Arrangement): string[] {
	const rest = without(blockIds, movesSome(kind) ? moved : kept);
	switch (kind) {
		case 'moveToTop':
			return [...moved, ...rest];
		case 'moveToBottom':
			return [...rest, ...moved];
		case 'reverse':
			return aroundKept(blockIds, kept, rest.toReversed());
		case 'rotate':
			return aroundKept(blockIds, kept, rotate(rest, positions));
		case 'shuffle':
			return aroundKept(blockIds, kept, shuffle(rest));
		case 'asListed':
			return [...blockIds];
	}
}

/** Puts the other blocks, in their new order, into the positions that are not those of the kept ones. */
function aroundKept(blockIds: readonly string[], kept: readonly string[], others: readonly string[]): string[] {
	const [isKept, next] = [new Set(kept), others.values()];
	return blockIds.map((id) => (isKept.has(id) ? id : (next.next().value ?? id)));
}

/** Returns the blocks that are not among others. */
export function without(blockIds: readonly string[], others: readonly string[]): string[] {
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
