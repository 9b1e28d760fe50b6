import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { ROOT } from './versions';

/**
 * Runs Jest, and shows what it prints.
 *
 * @param node the Node.js to run it with
 * @returns how many tests passed; undefined if one failed
 */
export function runJest(args: readonly string[], env: NodeJS.ProcessEnv, node = process.execPath): number | undefined {
	const output = mkdtempSync(path.join(tmpdir(), 'profile-page-versions-'));
	const report = path.join(output, 'report.json');
	try {
		const jest = ['node_modules/jest/bin/jest.js', '--json', '--outputFile', report];
		const options = { cwd: ROOT, env: { ...process.env, ...env }, stdio: 'inherit' } as const;
		if (spawnSync(node, [...jest, ...args], options).status !== 0) return undefined;
		const { numPassedTests } = JSON.parse(readFileSync(report, 'utf8')) as {
			numPassedTests: number;
		};
		return numPassedTests;
	} finally {
		rmSync(output, { recursive: true });
	}
}
