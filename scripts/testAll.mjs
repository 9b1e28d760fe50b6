/**
 * Runs the checks that take too long for every change, one after another, and enters their results in test/README.md.
 *
 * - `npm run test:all`: all of them
 * - `npm run test:all -- soak bench`: these
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { markdownTable } from 'markdown-table';

const ROOT = path.resolve(import.meta.dirname, '..');
const PAGE = path.join(ROOT, 'test/README.md');

/** Their commands, with the fastest ones first. */
const CHECKS = {
	node: ['npm run test:node'],
	engines: ['npm run test:versions'],
	release: ['npm run release:rehearse'],
	n8n: ['npm run check:n8n', 'npm run test:n8n'],
	versions: ['npm run test:n8n -- --n8n all'],
	bench: ['npm run bench'],
	soak: ['npm run soak'],
	mutants: ['npm run mutants'],
};

const TABLE = /(?<=<!-- runs -->\n\n)[^]*(?=\n\n<!-- \/runs -->)/;

/** Enters how a check ended in its row of the table. */
function record(name, result) {
	const page = readFileSync(PAGE, 'utf8');
	const [head, , ...rows] = TABLE.exec(page)[0]
		.split('\n')
		.map((row) => row.split('|').slice(1, -1))
		.map((cells) => cells.map((cell) => cell.trim()));
	const today = new Date().toISOString().slice(0, 10);
	const entered = rows.map(([check, command, ...last]) =>
		check === name ? [check, command, today, result] : [check, command, ...last],
	);
	writeFileSync(PAGE, page.replace(TABLE, markdownTable([head, ...entered])));
}

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in CHECKS));
if (unknown.length > 0) {
	console.error(`There is no check ${unknown.join(', ')}, only ${Object.keys(CHECKS).join(', ')}`);
	process.exit(1);
}

const failed = [];
for (const name of named.length > 0 ? named : Object.keys(CHECKS)) {
	const start = Date.now();
	const hasPassed = CHECKS[name].every((command) => {
		console.log(`\n${name}: ${command}`);
		return spawnSync(command, { cwd: ROOT, shell: true, stdio: 'inherit' }).status === 0;
	});
	if (!hasPassed) failed.push(name);
	record(name, `${hasPassed ? 'passed' : 'failed'} in ${Math.ceil((Date.now() - start) / 60_000)} min`);
}
if (failed.length > 0) {
	console.error(`\nFailed: ${failed.join(', ')}`);
	process.exitCode = 1;
}
