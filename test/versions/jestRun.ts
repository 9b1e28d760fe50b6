import { spawnSync } from 'node:child_process';

import { ROOT } from './versions';

/**
 * Runs Jest, and shows what it prints. Returns whether all tests passed.
 *
 * @param node the Node.js to run it with
 */
export function passesJest(args: readonly string[], env: NodeJS.ProcessEnv, node = process.execPath): boolean {
	const options = { cwd: ROOT, env: { ...process.env, ...env }, stdio: 'inherit' } as const;
	return spawnSync(node, ['node_modules/jest/bin/jest.js', ...args], options).status === 0;
}
