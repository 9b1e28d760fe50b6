/**
 * Runs the tests in a complete n8n, after it has installed what they need.
 *
 * - `npm run test:n8n`: all tests, in the default version
 * - `npm run test:n8n -- editor`: those suites of them
 * - `npm run test:n8n -- --short`: one suite for each way to use the package, which every change must pass
 * - `npm run test:n8n -- --n8n 1.123.81`: the core of the tests in that version, or in several if `--n8n` is repeated, or
 *   in each version with `--n8n all`
 */
import path from 'node:path';
import { parseArgs } from 'node:util';

import { Listr } from 'listr2';

import { passesJest } from '../versions/jestRun';
import { completeN8ns, defaultN8n, findVersions, type Version } from '../versions/versions';
import { n8nTasks, programTasks } from './support/installation';
import { TESTED_N8N } from './support/versions';

/** The command line, the editor, the trigger, tools of AI models, and a public app. */
const SHORT = 'suite/(stored|editor|trigger|tools|publicApp)\\.test';

/** The suites that cover what depends on n8n most. */
const CORE = 'suite/(stored|credentials|editor|trigger|tools|examples)\\.test';

async function install(...versions: readonly Version[]): Promise<void> {
	const tasks = [...new Set(versions)].flatMap((version) => n8nTasks(version));
	await new Listr([...tasks, ...programTasks()]).run();
}

/** Runs suites in a version of n8n. Returns whether all tests passed. */
function test({ n8n }: Version, args: readonly string[]): boolean {
	const config = path.join(__dirname, 'jest.config.js');
	return passesJest(['--config', config, ...args], { [TESTED_N8N]: n8n });
}

async function testVersions(versions: readonly Version[]): Promise<void> {
	// The tools of the tests are installed with the default version.
	await install(defaultN8n, ...versions);
	const failed: string[] = [];
	for (const version of versions) {
		console.log(`\nn8n ${version.n8n}`);
		if (!test(version, [CORE])) failed.push(version.n8n);
	}
	if (failed.length > 0) throw new Error(`Failed: ${failed.join(', ')}`);
}

async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		options: { n8n: { type: 'string', multiple: true, default: [] }, short: { type: 'boolean' } },
		allowPositionals: true,
	});
	if (values.n8n.length > 0) {
		const isAll = values.n8n.includes('all');
		await testVersions(isAll ? completeN8ns : findVersions(completeN8ns, values.n8n));
		return;
	}
	await install(defaultN8n);
	if (test(defaultN8n, values.short ? [SHORT] : positionals)) return;
	// A program may be too slow on a shared machine. What is broken fails again.
	const isFlaky = process.env.CI !== undefined && test(defaultN8n, ['--onlyFailures']);
	if (isFlaky) console.warn('Suites failed once, and passed when they ran again: see above.');
	else process.exitCode = 1;
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
