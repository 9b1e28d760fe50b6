import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { type Parts, partsOf, ROOT, type Version, versions } from './versions';

/** What a version was tested with. */
export interface Result extends Required<Parts>, Pick<Version, 'n8n' | 'scope'> {
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

/**
 * Stores how many tests have passed with each of these versions, and writes the results of all versions to the
 * table in the README.
 */
export async function writeResults(passed: ReadonlyMap<Version, number>): Promise<void> {
	const earlier = readResults();
	const results = versions.flatMap((version) => {
		const tests = passed.get(version);
		if (tests !== undefined) return toResult(version, tests);
		return earlier.find(({ n8n, scope }) => n8n === version.n8n && scope === version.scope) ?? [];
	});
	writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
	const readme = readFileSync(README, 'utf8');
	writeFileSync(README, readme.replace(readTable(readme), await formatTable(results)));
}

function toResult(version: Version, tests: number): Result {
	const { core, workflow, node = process.versions.node } = partsOf(version);
	return { n8n: version.n8n, scope: version.scope, core, workflow, node, tests };
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

export function toRow({ n8n, scope, core, workflow, node, tests }: Result): string[] {
	return [n8n, scope, core, workflow, node, String(tests)];
}

async function formatTable(results: readonly Result[]): Promise<string> {
	const { markdownTable } = await import('markdown-table');
	const head = ['n8n', 'Tested in', 'n8n-core', 'n8n-workflow', 'Node.js', 'Tests passed'];
	const align = [null, null, null, null, null, 'r'];
	return markdownTable([head, ...results.map(toRow)], { align });
}
