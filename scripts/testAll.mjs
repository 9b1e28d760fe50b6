/**
 * Runs the checks that take too long for every change, one after another. Ends with a line for each, which the notes of
 * a release quote.
 *
 * - `npm run test:all`: all of them
 * - `npm run test:all -- node bench`: these
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');

/** Their commands, with the fastest ones first. */
const CHECKS = {
	release: ['npm run release:rehearse'],
	node: ['npm run test:node'],
	engines: ['npm run test:versions'],
	n8n: ['npm run check:n8n', 'npm run test:n8n'],
	versions: ['npm run test:n8n -- --n8n all'],
	bench: ['npm run bench'],
	mutants: ['npm run mutants'],
};

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in CHECKS));
if (unknown.length > 0) {
	console.error(`There is no check ${unknown.join(', ')}, only ${Object.keys(CHECKS).join(', ')}`);
	process.exit(1);
}

const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).stdout.trim();
const results = [];
for (const name of named.length > 0 ? named : Object.keys(CHECKS)) {
	const start = Date.now();
	const hasPassed = CHECKS[name].every((command) => {
		console.log(`\n${name}: ${command}`);
		return spawnSync(command, { cwd: ROOT, shell: true, stdio: 'inherit' }).status === 0;
	});
	const minutes = Math.ceil((Date.now() - start) / 60_000);
	results.push(`- \`${CHECKS[name].at(-1)}\` ${hasPassed ? 'passed' : 'FAILED'} in ${minutes} min`);
	if (!hasPassed) process.exitCode = 1;
}
console.log(`\nRun for ${commit}:\n\n${results.join('\n')}`);
