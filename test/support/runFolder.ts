import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Names the folder of a test run. It contains the temporary files of the tests and their child processes,
 * and an n8n user folder for each worker. The run removes it, since workers may be killed before they
 * clean up.
 */
const VARIABLE = 'PROFILE_PAGE_RUN_FOLDER';

/** tsx caches compiled files in the folder for temporary files. */
const TSX_CACHE = 'tsx-';

/** Creates the folder. Called before workers are started, which inherit the environment. */
export function makeRunFolder(): void {
	const folder = mkdtempSync(path.join(tmpdir(), 'profile-page-tests-'));
	process.env[VARIABLE] = folder;
	process.env.TMPDIR = path.join(folder, 'tmp');
	mkdirSync(process.env.TMPDIR);
	// From Node.js 22 on, npm caches its compiled code in the folder for temporary files.
	process.env.NODE_DISABLE_COMPILE_CACHE = '1';
}

/**
 * Removes the folder of the run.
 *
 * @throws Error if a test has left temporary files
 */
export function removeRunFolder(): void {
	const folder = readVariable();
	const left = readdirSync(path.join(folder, 'tmp')).filter((name) => !name.startsWith(TSX_CACHE));
	rmSync(folder, { recursive: true });
	process.env.TMPDIR = path.dirname(folder);
	if (left.length > 0) throw new Error(`Tests have left temporary files: ${left.join(', ')}`);
}

/** Gives each worker its own n8n user folder: n8n writes its settings without a lock. */
export function useUserFolder(): void {
	process.env.N8N_USER_FOLDER = path.join(readVariable(), `n8n-${process.env.JEST_WORKER_ID}`);
	mkdirSync(process.env.N8N_USER_FOLDER, { recursive: true });
}

function readVariable(): string {
	const folder = process.env[VARIABLE];
	if (!folder) throw new Error('The test run has no folder');
	return folder;
}
