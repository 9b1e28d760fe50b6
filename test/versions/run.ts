/**
 * Runs the tests of the package and of the runner with several versions of n8n's engine: the one that the
 * package is developed with, and each one that has a folder here. To select versions:
 * `npm run test:versions -- 1.123 2.41`.
 *
 * A version that needs another Node.js has it as a dependency, and its tests run on it.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

import { passesJest } from './jestRun';
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

/** Whether all tests passed. */
function test({ n8n, folder }: Version): boolean {
	console.log(`\nn8n ${n8n}`);
	if (folder !== ROOT && !install(folder)) return false;
	const node = partsOf({ folder }).node
		? path.join(folder, 'node_modules', NODE_PACKAGE, 'bin/node')
		: process.execPath;
	const config = path.join(__dirname, 'jest.config.js');
	return passesJest(['--config', config], { N8N_VERSION_FOLDER: folder }, node);
}

function main(): void {
	const named = process.argv.slice(2);
	const selected = named.length > 0 ? findVersions(engines, named) : engines;
	const failed = selected.filter(canRunHere).filter((version) => !test(version));
	if (failed.length === 0) return;
	console.error(`Failed: ${failed.map(({ n8n }) => n8n).join(', ')}`);
	process.exitCode = 1;
}

main();
