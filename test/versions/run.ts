/**
 * Runs the tests of the package and of the runner with several versions of n8n's engine: the one that the
 * package is developed with, and each one that has a folder here. To select versions:
 * `npm run test:versions -- 1.123 2.41`. The results become the table in the README.
 *
 * A version that needs another Node.js has it as a dependency, and its tests run on it.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { readResults, type Result, writeResults } from './table';
import { engineOf, NODE_PACKAGE, ROOT, type Version, versions } from './versions';

function selectVersions(): readonly Version[] {
	const named = process.argv.slice(2);
	const unknown = named.filter((name) => !versions.some(({ n8n }) => n8n === name));
	if (unknown.length > 0) throw new Error(`There is no folder for ${unknown.join(', ')}`);
	return named.length > 0 ? versions.filter(({ n8n }) => named.includes(n8n)) : versions;
}

function canRunHere(version: Version): boolean {
	const isLinuxX64 = process.platform === 'linux' && process.arch === 'x64';
	if (isLinuxX64 || !engineOf(version).node) return true;
	console.warn(`\n${version.n8n}: skipped, because its Node.js is available for Linux on x64 only`);
	return false;
}

function run(command: string, args: string[], options: { cwd: string; env?: NodeJS.ProcessEnv }) {
	const { status } = spawnSync(command, args, { ...options, stdio: 'inherit' });
	return status === 0;
}

/** Returns the number of tests that passed; undefined if one failed. */
function test({ n8n, folder }: Version): number | undefined {
	console.log(`\nn8n ${n8n}`);
	const ci = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
	if (folder !== ROOT && !run('npm', ci, { cwd: folder })) return undefined;

	const node = engineOf({ folder }).node
		? path.join(folder, 'node_modules', NODE_PACKAGE, 'bin/node')
		: process.execPath;
	const output = mkdtempSync(path.join(tmpdir(), 'profile-page-versions-'));
	const report = path.join(output, 'report.json');
	try {
		const config = path.join(__dirname, 'jest.config.js');
		const args = ['--config', config, '--json', '--outputFile', report];
		const env = { ...process.env, N8N_VERSION_FOLDER: folder };
		if (!run(node, ['node_modules/jest/bin/jest.js', ...args], { cwd: ROOT, env })) {
			return undefined;
		}
		const { numPassedTests } = JSON.parse(readFileSync(report, 'utf8')) as {
			numPassedTests: number;
		};
		return numPassedTests;
	} finally {
		rmSync(output, { recursive: true });
	}
}

async function main(): Promise<void> {
	const tested = selectVersions().filter(canRunHere);
	const results = new Map(readResults().map((result) => [result.n8n, result]));
	const failed: string[] = [];
	for (const version of tested) {
		const tests = test(version);
		if (tests === undefined) failed.push(version.n8n);
		else results.set(version.n8n, toResult(version, tests));
	}
	if (failed.length > 0) throw new Error(`Failed: ${failed.join(', ')}`);
	await writeResults(versions.flatMap(({ n8n }) => results.get(n8n) ?? []));
}

function toResult(version: Version, tests: number): Result {
	const { core, workflow, node = process.versions.node } = engineOf(version);
	return { n8n: version.n8n, core, workflow, node, tests };
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
