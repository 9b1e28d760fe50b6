import { median } from '../test/n8n/support/median';
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
	const values = runs.map(valueOf);
	const middle = median(values);
	const [low, high] = [Math.min(...values).toFixed(0), Math.max(...values).toFixed(0)];
	const range = low === high ? '' : ` (${low}–${high})`;
	return { median: middle, text: middle.toFixed(0) + range };
}

/** Returns a Markdown table with numbers in all columns but the first. */
export async function table(head: readonly string[], rows: readonly string[][]): Promise<string> {
	const { markdownTable } = await import('markdown-table');
	return markdownTable([head, ...rows], { align: head.map((_, column) => (column ? 'r' : null)) });
}
