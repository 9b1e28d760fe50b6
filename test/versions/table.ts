import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { type Engine, ROOT } from './versions';

/** What a version was tested with. */
export interface Result extends Required<Engine> {
	n8n: string;
	/** How many tests passed. */
	tests: number;
}

export const README = path.join(ROOT, 'README.md');
const RESULTS = path.join(__dirname, 'results.json');

const [START, END] = ['<!-- versions -->', '<!-- /versions -->'];

/** Returns the results of the last tests of each version, newest version first. */
export function readResults(): Result[] {
	return JSON.parse(readFileSync(RESULTS, 'utf8')) as Result[];
}

/** Stores the results, and writes them to the table in the README. */
export async function writeResults(results: readonly Result[]): Promise<void> {
	writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
	const readme = readFileSync(README, 'utf8');
	writeFileSync(README, readme.replace(readTable(readme), await formatTable(results)));
}

/** Returns the table in a text of the README. */
export function readTable(readme: string): string {
	const [, table] = readme.split(new RegExp(`${START}\\n\\n|\\n\\n${END}`));
	if (!table) throw new Error(`README.md has no table between ${START} and ${END}`);
	return table;
}

/** Returns the rows of a table without its head. */
export function readRows(table: string): string[][] {
	const [, , ...rows] = table.split('\n');
	return rows.map((row) => row.split('|').slice(1, -1)).map((cells) => cells.map(trim));
}

const trim = (text: string) => text.trim();

export function toRow({ n8n, core, workflow, node, tests }: Result): string[] {
	return [n8n, core, workflow, node, String(tests)];
}

async function formatTable(results: readonly Result[]): Promise<string> {
	const { markdownTable } = await import('markdown-table');
	const head = ['n8n', 'n8n-core', 'n8n-workflow', 'Node.js', 'Tests passed'];
	const align = [null, null, null, null, 'r'];
	return markdownTable([head, ...results.map(toRow)], { align });
}
