/**
 * Runs the tests of the package and of the runner with several versions of n8n's engine: the one that the
 * package is developed with, and each one that has a folder here. To select versions:
 * `npm run test:versions -- 1.123 2.41`. The results become the table in test/README.md.
 *
 * A version that needs another Node.js has it as a dependency, and its tests run on it.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

import { runJest } from './jestRun';
import { writeResults } from './table';
import { engines, findVersions, NODE_PACKAGE, partsOf, ROOT, type Version } from './versions';

function canRunHere(version: Version): boolean {
	const isLinuxX64 = process.platform === 'linux' && process.arch === 'x64';
	if (isLinuxX64 || !partsOf(version).node) return true;
	console.warn(`\n${version.n8n}: skipped, because its Node.js is available for Linux on x64 only`);
	return false;
}

function install(folder: string): boolean {
	const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
	return spawnSync('npm', args, { cwd: folder, stdio: 'inherit' }).status === 0;
}

/** Returns the number of tests that passed; undefined if one failed. */
function test({ n8n, folder }: Version): number | undefined {
	console.log(`\nn8n ${n8n}`);
	if (folder !== ROOT && !install(folder)) return undefined;
	const node = partsOf({ folder }).node
		? path.join(folder, 'node_modules', NODE_PACKAGE, 'bin/node')
		: process.execPath;
	const config = path.join(__dirname, 'jest.config.js');
	return runJest(['--config', config], { N8N_VERSION_FOLDER: folder }, node);
}

async function main(): Promise<void> {
	const named = process.argv.slice(2);
	const selected = named.length > 0 ? findVersions(engines, named) : engines;
	const passed = new Map<Version, number>();
	const failed: string[] = [];
	for (const version of selected.filter(canRunHere)) {
		const tests = test(version);
		if (tests === undefined) failed.push(version.n8n);
		else passed.set(version, tests);
	}
	if (failed.length > 0) throw new Error(`Failed: ${failed.join(', ')}`);
	await writeResults(passed);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
