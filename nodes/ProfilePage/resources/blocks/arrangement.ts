import type { Item } from '../../fields/item';
import { capitalize } from '../../shared/values';
import type { Names } from '../names';

/** How to change the order that a page has. It names blocks by their IDs. */
export type Arrangement =
	/** The blocks that it moves are in their new order, each with the first item that names it. */
	| { readonly kind: 'moveToBottom' | 'moveToTop'; readonly moved: ReadonlyMap<string, Item> }
	| { readonly kind: 'reverse' | 'shuffle'; readonly kept: readonly string[] }
	/** Moves as many blocks from the top to the bottom; from the bottom to the top if `positions` is negative. */
	| { readonly kind: 'rotate'; readonly kept: readonly string[]; readonly positions: number };

/** Returns the same blocks in another order. All blocks that the arrangement names must be among them. */
export function arrange(blockIds: readonly string[], arrangement: Arrangement): string[] {
	if ('moved' in arrangement) {
		const moved = [...arrangement.moved.keys()];
		const others = without(blockIds, moved);
		return arrangement.kind === 'moveToTop' ? [...moved, ...others] : [...others, ...moved];
	}
	const isKept = new Set(arrangement.kept);
	const next = reordered(without(blockIds, arrangement.kept), arrangement).values();
	return blockIds.map((id) => (isKept.has(id) ? id : (next.next().value ?? id)));
}

function reordered(ids: string[], arrangement: Arrangement): string[] {
	if (arrangement.kind === 'rotate') return rotate(ids, arrangement.positions);
	return arrangement.kind === 'reverse' ? ids.toReversed() : shuffle(ids);
}

function without(blockIds: readonly string[], others: readonly string[]): string[] {
	const excluded = new Set(others);
	return blockIds.filter((id) => !excluded.has(id));
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

/** Says which block of a page is on top of its new order, whether that is new, and for a rotation which two follow in the next runs. */
export function describeOrder(order: readonly string[], names: Names, arrangement: Arrangement): string {
	const { entries, owner } = names;
	const kept = 'kept' in arrangement ? arrangement.kept : [];
	const movable = without(order, kept);
	const [first] = movable;
	if (first === undefined) return `No block of ${owner} moves: all of them are kept in place.`;
	const place = kept.length > 0 ? `first among the blocks that move on ${owner}` : `on top of ${owner}`;
	const top = `${capitalize(place)}: ${names.labelOf(first)}.`;
	if (entries.every(({ id }, position) => id === order[position])) return `${top} The order did not change.`;
	if (arrangement.kind !== 'rotate') return top;
	const next = [1, 2].map((times) => names.labelOf(rotate(movable, arrangement.positions * times)[0] ?? first));
	return `${top} Then, run by run: ${next.join(', ')}.`;
}
