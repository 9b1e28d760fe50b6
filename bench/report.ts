import type { Chart } from './chart';

/** A part of the results. */
export interface Section {
	readonly title: string;
	/** In Markdown. */
	readonly table: string;
	readonly chart?: Chart;
	/** Whether it comes first, although it is measured last. */
	readonly isSummary?: boolean;
}

/** The median of several runs. */
export interface Spread {
	readonly median: number;
	/** The median, followed by the minimum and the maximum if they differ. */
	readonly text: string;
}

export function spread<T>(runs: readonly T[], valueOf: (run: T) => number): Spread {
	const values = runs.map(valueOf).sort((a, b) => a - b);
	const [min = NaN] = values;
	const max = values.at(-1) ?? NaN;
	const half = values.length / 2;
	const median = ((values[Math.ceil(half) - 1] ?? NaN) + (values[Math.floor(half)] ?? NaN)) / 2;
	const [low, middle, high] = [min, median, max].map((value) => value.toFixed(0));
	return { median, text: low === high ? `${middle}` : `${middle} (${low}–${high})` };
}

/** Returns a Markdown table with numbers in all columns but the first. */
export async function table(head: readonly string[], rows: readonly string[][]): Promise<string> {
	const { markdownTable } = await import('markdown-table');
	return markdownTable([head, ...rows], { align: head.map((_, column) => (column ? 'r' : null)) });
}
