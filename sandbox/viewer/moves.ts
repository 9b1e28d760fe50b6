/**
 * Returns the blocks that were moved, with the positions they were moved from: as few as explain the new
 * order. A block that only makes room for another one is not among them.
 *
 * @param before the IDs in their order before
 * @param after the same IDs in their order now
 */
export function findMoves(
	before: readonly string[],
	after: readonly string[],
): ReadonlyMap<string, number> {
	const positions = new Map(before.map((id, position) => [id, position]));
	const moves = after.map((id): [string, number] => [id, positions.get(id) ?? 0]);
	const stayed = longestIncreasing(moves.map(([, from]) => from));
	return new Map(moves.filter(([, from]) => !stayed.has(from)));
}

/** Returns the numbers of a longest increasing subsequence. The numbers must be distinct. */
function longestIncreasing(numbers: readonly number[]): ReadonlySet<number> {
	// The smallest end of an increasing subsequence of each length, and the number before each number.
	const ends: number[] = [];
	const previous = new Map<number, number | undefined>();
	for (const number of numbers) {
		const length = countSmaller(ends, number);
		previous.set(number, ends[length - 1]);
		ends[length] = number;
	}
	const longest = new Set<number>();
	for (let end = ends.at(-1); end !== undefined; end = previous.get(end)) longest.add(end);
	return longest;
}

/** Counts the numbers of a sorted list that are smaller than a number. */
function countSmaller(sorted: readonly number[], number: number): number {
	let [low, high] = [0, sorted.length];
	while (low < high) {
		const middle = Math.floor((low + high) / 2);
		if ((sorted[middle] ?? Infinity) < number) low = middle + 1;
		else high = middle;
	}
	return low;
}
