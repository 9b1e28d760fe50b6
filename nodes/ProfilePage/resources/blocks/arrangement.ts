/** How to change the order that a page has. Its blocks are IDs, all of which are on the page. */
export type Arrangement =
	| {
			readonly kind: 'moveToBottom' | 'moveToTop';
			/** In their new order. */
			readonly moved: readonly string[];
	  }
	| {
			readonly kind: 'reverse' | 'rotate' | 'shuffle';
			/** These stay in place, and the others move among the rest. */
			readonly kept: readonly string[];
			/** How many blocks rotate from the top to the bottom; from the bottom to the top if it is negative. */
			readonly positions: number;
	  };

export type Kind = Arrangement['kind'];

/** Whether it names the blocks that move. Such a change may be repeated, while to rotate twice is not the same as once. */
export function isMove(kind: Kind): kind is 'moveToBottom' | 'moveToTop' {
	return kind === 'moveToBottom' || kind === 'moveToTop';
}

/** Returns the same blocks in another order. */
export function arrange(blockIds: readonly string[], arrangement: Arrangement): string[] {
	const others = without(blockIds, 'moved' in arrangement ? arrangement.moved : arrangement.kept);
	switch (arrangement.kind) {
		case 'moveToTop':
			return [...arrangement.moved, ...others];
		case 'moveToBottom':
			return [...others, ...arrangement.moved];
		case 'reverse':
			return replaceInOrder(blockIds, others.toReversed());
		case 'rotate':
			return replaceInOrder(blockIds, rotate(others, arrangement.positions));
		case 'shuffle':
			return replaceInOrder(blockIds, shuffle(others));
	}
}

function without(blockIds: readonly string[], excluded: readonly string[]): string[] {
	const isExcluded = new Set(excluded);
	return blockIds.filter((id) => !isExcluded.has(id));
}

/** Puts some blocks, in their new order, where these blocks were. The others keep their positions. */
function replaceInOrder(blockIds: readonly string[], moved: readonly string[]): string[] {
	const isMoved = new Set(moved);
	const next = moved.values();
	return blockIds.map((id) => (isMoved.has(id) ? (next.next().value ?? id) : id));
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
