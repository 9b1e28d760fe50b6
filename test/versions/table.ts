import { readFileSync } from 'node:fs';
import path from 'node:path';

import { partsOf, ROOT, type Version } from './versions';

/** The front page, with a line for each minor version of n8n. */
export const README = path.join(ROOT, 'README.md');
/** The page about tests, with the whole table. */
export const TESTS = path.join(ROOT, 'test/README.md');

const [START, END] = ['<!-- versions -->', '<!-- /versions -->'];

/** Returns what a page says of the versions. */
export function readVersions(page: string): string {
	const [, text] = readFileSync(page, 'utf8').split(new RegExp(`${START}\\n\\n|\\n\\n${END}`));
	if (!text) throw new Error(`${page} has nothing between ${START} and ${END}`);
	return text;
}

const SCOPES = { engine: "n8n's engine", 'whole n8n': 'a complete installation' } as const;

/** Returns a line for each minor version of n8n, which says what it is tested in. */
export function summarize(versions: readonly Version[]): string {
	const scopes = new Map<string, string[]>();
	for (const { n8n, scope } of versions) {
		const minor = n8n.split('.').slice(0, 2).join('.');
		scopes.set(minor, [SCOPES[scope], ...(scopes.get(minor) ?? [])]);
	}
	return [...scopes].map(([minor, tested]) => `- **n8n ${minor}:** tested in ${tested.join(' and in ')}`).join('\n');
}

/** Returns the rows of a table without its head. */
export function readRows(table: string): string[][] {
	const [, , ...rows] = table.split('\n');
	return rows.map((row) => row.split('|').slice(1, -1)).map((cells) => cells.map((cell) => cell.trim()));
}

/** Returns the row of a version, with the packages of its lock file. */
export function toRow(version: Version): string[] {
	const { core, workflow, node = 'yours' } = partsOf(version);
	return [version.n8n, version.scope, core, workflow, node];
}
