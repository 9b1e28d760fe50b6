/**
 * Runs the engine tests with each version of n8n's engine that has a folder here, besides the one in
 * the package.json of the whole. Versions may be named: `npm run test:versions -- n8n-1`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');

function findVersions(): string[] {
	const named = process.argv.slice(2);
	return named.length > 0
		? named
		: readdirSync(__dirname).filter((name) =>
				existsSync(path.join(__dirname, name, 'package.json')),
			);
}

function run(command: string, args: string[], options: { cwd: string; env?: NodeJS.ProcessEnv }) {
	const { status } = spawnSync(command, args, { ...options, stdio: 'inherit' });
	return status === 0;
}

function test(version: string): boolean {
	const folder = path.join(__dirname, version);
	console.log(`\n${version}`);
	return (
		run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder }) &&
		run('npx', ['jest', '--config', 'test/versions/jest.config.js'], {
			cwd: root,
			env: { ...process.env, N8N_VERSION_FOLDER: folder },
		})
	);
}

const failed = findVersions().filter((version) => !test(version));
if (failed.length > 0) {
	console.error(`\nFailed: ${failed.join(', ')}`);
	process.exitCode = 1;
}
