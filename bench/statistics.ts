/** What several runs have in common. */
export interface Spread {
	readonly median: number;
	/** The median, and the least and the greatest if they differ. */
	readonly text: string;
}

/** @param valueOf the number of a run that counts */
export function spread<T>(runs: readonly T[], valueOf: (run: T) => number): Spread {
	const values = runs.map(valueOf).sort((a, b) => a - b);
	const [least = NaN] = values;
	const greatest = values.at(-1) ?? NaN;
	const half = values.length / 2;
	const median = ((values[Math.ceil(half) - 1] ?? NaN) + (values[Math.floor(half)] ?? NaN)) / 2;
	const [low, middle, high] = [least, median, greatest].map((value) => value.toFixed(0));
	return { median, text: low === high ? `${middle}` : `${middle} (${low}–${high})` };
}
