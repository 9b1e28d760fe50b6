import { median } from '../test/n8n/support/median';
import type { Chart } from './chart';

/** A number that must not be exceeded. */
export interface Target {
	readonly name: string;
	readonly value: number;
	readonly limit: number;
}

/** The times of this node by default and of n8n's HTTP Request node, in milliseconds. */
export interface Duel {
	readonly name: string;
	readonly ours: number;
	readonly http: number;
}

/** A part of the results. */
export interface Section {
	readonly title: string;
	/** In Markdown. */
	readonly table: string;
	readonly targets?: readonly Target[];
	readonly duels?: readonly Duel[];
	readonly chart?: Chart;
}

export function isMet({ value, limit }: Target): boolean {
	return value <= limit;
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

const number = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(2));

/** Returns all targets in one table. */
export async function targetTable(targets: readonly Target[]): Promise<string> {
	const rows = targets.map((each) => [each.name, number(each.value), number(each.limit), isMet(each) ? 'yes' : 'no']);
	return await table(['What', 'Value', 'At most', 'Met'], rows);
}

/** Returns the comparisons with the HTTP Request node in one table. */
export async function duelTable(duels: readonly Duel[]): Promise<string> {
	const rows = duels.map(({ name, ours, http }) => [name, ours.toFixed(0), http.toFixed(0), (ours / http).toFixed(2)]);
	return await table(['Time in ms', 'This node', 'HTTP Request', 'Ratio'], rows);
}
