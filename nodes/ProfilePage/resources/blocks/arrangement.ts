/** How to change the order that a page has. It names blocks by their IDs. */
export interface Arrangement {
	readonly kind: 'moveToBottom' | 'moveToTop' | 'reverse' | 'rotate' | 'shuffle';
	/** The blocks to move, in their new order; for the other kinds, those to keep in place. All of them are on the page. */
	readonly chosen: readonly string[];
	/** How many blocks `rotate` moves from the top to the bottom; from the bottom to the top if it is negative. */
	readonly positions: number;
}

/** Whether the chosen blocks move. Such a change may be repeated, while to rotate twice is not the same as once. */
export function isMove(kind: Arrangement['kind']): boolean {
	return kind === 'moveToBottom' || kind === 'moveToTop';
}

/** Returns the same blocks in another order. */
export function arrange(blockIds: readonly string[], { kind, chosen, positions }: Arrangement): string[] {
	const isChosen = new Set(chosen);
	const others = blockIds.filter((id) => !isChosen.has(id));
	switch (kind) {
		case 'moveToTop':
			return [...chosen, ...others];
		case 'moveToBottom':
			return [...others, ...chosen];
		case 'reverse':
			return aroundKept(blockIds, others.toReversed());
		case 'rotate':
			return aroundKept(blockIds, rotate(others, positions));
		case 'shuffle':
			return aroundKept(blockIds, shuffle(others));
	}
}

/** Replaces the blocks that move, one after another. The others keep their positions. */
function aroundKept(blockIds: readonly string[], moving: readonly string[]): string[] {
	const isMoving = new Set(moving);
	const next = moving.values();
	return blockIds.map((id) => (isMoving.has(id) ? (next.next().value ?? id) : id));
}

/** Moves the first IDs to the end, as many as `positions` says; the last ones to the front if it is negative. */
function rotate(ids: readonly string[], positions: number): string[] {
	const start = positions % ids.length;
	return [...ids.slice(start), ...ids.slice(0, start)];
}

/** Returns the IDs in a random order, each with the same probability. */
function shuffle(ids: readonly string[]): string[] {
	const keyed = ids.map((id) => ({ id, key: Math.random() }));
	return keyed.sort((a, b) => a.key - b.key).map(({ id }) => id);
}
