import { randomInt } from 'node:crypto';

/** Moves the first entries to the end, as many as `positions` says; the last ones to the front if it is negative. */
export function rotate<T>(list: readonly T[], positions: number): T[] {
	const start = ((positions % list.length) + list.length) % list.length;
	return [...list.slice(start), ...list.slice(0, start)];
}

/**
 * Returns the list in a random order, each with the same probability (Fisher–Yates).
 *
 * @param random returns a whole number from 0 to below `limit`, each with the same probability
 */
export function shuffle<T>(list: readonly T[], random = (limit: number) => randomInt(limit)): T[] {
	const remaining = [...list];
	return list.flatMap(() => remaining.splice(random(remaining.length), 1));
}
