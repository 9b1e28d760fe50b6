import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { type Parts, partsOf, ROOT, type Version, versions } from './versions';

/** What a version was tested with. */
export interface Result extends Required<Parts>, Pick<Version, 'n8n' | 'scope'> {
	/** How many tests passed. */
	tests: number;
}

/** The front page, with a line for each minor version of n8n. */
export const README = path.join(ROOT, 'README.md');
/** The page about tests, with the whole table. */
export const TESTS = path.join(ROOT, 'test/README.md');
const RESULTS = path.join(__dirname, 'results.json');

const [START, END] = ['<!-- versions -->', '<!-- /versions -->'];

/** Returns the results of the last tests of each version, newest version first. */
export function readResults(): Result[] {
	return JSON.parse(readFileSync(RESULTS, 'utf8')) as Result[];
}

/** Stores how many tests have passed with each of these versions, and writes the results of all versions to both pages. */
export async function writeResults(passed: ReadonlyMap<Version, number>): Promise<void> {
	const earlier = readResults();
	const results = versions.flatMap((version) => {
		const tests = passed.get(version);
		if (tests !== undefined) return toResult(version, tests);
		return earlier.find(({ n8n, scope }) => n8n === version.n8n && scope === version.scope) ?? [];
	});
	writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
	replaceVersions(TESTS, await formatTable(results));
	replaceVersions(README, summarize(results));
}

function replaceVersions(page: string, versionsText: string): void {
	const text = readFileSync(page, 'utf8');
	writeFileSync(page, text.replace(readVersions(page), versionsText));
}

function toResult(version: Version, tests: number): Result {
	const { core, workflow, node = process.versions.node } = partsOf(version);
	return { n8n: version.n8n, scope: version.scope, core, workflow, node, tests };
}

/** Returns what a page says of the versions. */
export function readVersions(page: string): string {
	const [, text] = readFileSync(page, 'utf8').split(new RegExp(`${START}\\n\\n|\\n\\n${END}`));
	if (!text) throw new Error(`${page} has nothing between ${START} and ${END}`);
	return text;
}

const SCOPES = { engine: "n8n's engine", 'whole n8n': 'a complete installation' } as const;

/** Returns a line for each minor version of n8n, which says what it was tested in. */
export function summarize(results: readonly Result[]): string {
	const scopes = new Map<string, string[]>();
	for (const { n8n, scope } of results) {
		const minor = n8n.split('.').slice(0, 2).join('.');
		scopes.set(minor, [SCOPES[scope], ...(scopes.get(minor) ?? [])]);
	}
	return [...scopes].map(([minor, tested]) => `- **n8n ${minor}:** tested in ${tested.join(' and in ')}`).join('\n');
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
