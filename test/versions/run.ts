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

/** Whether all tests passed, or this machine cannot run them. */
function test({ n8n, folder }: Version): boolean {
	console.log(`\nn8n ${n8n}`);
	const needsNode = partsOf({ folder }).node !== undefined;
	if (needsNode && `${process.platform} ${process.arch}` !== 'linux x64') {
		console.warn('Skipped, because its Node.js is available for Linux on x64 only');
		return true;
	}
	const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
	if (folder !== ROOT && spawnSync('npm', args, { cwd: folder, stdio: 'inherit' }).status !== 0) return false;
	const node = needsNode ? path.join(folder, 'node_modules', NODE_PACKAGE, 'bin/node') : process.execPath;
	return passesJest(['--config', path.join(__dirname, 'jest.config.js')], { N8N_VERSION_FOLDER: folder }, node);
}

const named = process.argv.slice(2);
const failed = (named.length > 0 ? findVersions(engines, named) : engines).filter((version) => !test(version));
if (failed.length > 0) {
	console.error(`Failed: ${failed.map(({ n8n }) => n8n).join(', ')}`);
	process.exitCode = 1;
}
