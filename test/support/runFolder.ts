import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * The folder of a test run. It contains the folder for temporary files, which replaces that of the
 * system for the tests and all processes that they start, and a user folder of n8n for each worker.
 * Workers may be killed before they clean up, so the run does it for them.
 */
const VARIABLE = 'PROFILE_PAGE_RUN_FOLDER';

/** tsx keeps what it has compiled in the folder for temporary files. */
const TSX_CACHE = 'tsx-';

/** Makes the folder; called once, before workers are started, which inherit the environment. */
export function makeRunFolder(): void {
	const folder = mkdtempSync(path.join(tmpdir(), 'profile-page-tests-'));
	process.env[VARIABLE] = folder;
	process.env.TMPDIR = path.join(folder, 'tmp');
	mkdirSync(process.env.TMPDIR);
}

/**
 * Removes the folder of the run.
 *
 * @throws Error if a test has left something in the folder for temporary files
 */
export function removeRunFolder(): void {
	const folder = readVariable();
	const left = readdirSync(path.join(folder, 'tmp')).filter((name) => !name.startsWith(TSX_CACHE));
	rmSync(folder, { recursive: true });
	process.env.TMPDIR = path.dirname(folder);
	if (left.length > 0) throw new Error(`Tests have left temporary files: ${left.join(', ')}`);
}

/** Gives n8n a user folder that no other worker uses: n8n writes its settings without a lock. */
export function useUserFolder(): void {
	process.env.N8N_USER_FOLDER = path.join(readVariable(), `n8n-${process.env.JEST_WORKER_ID}`);
	mkdirSync(process.env.N8N_USER_FOLDER, { recursive: true });
}

function readVariable(): string {
	const folder = process.env[VARIABLE];
	if (!folder) throw new Error('There is no folder for this test run');
	return folder;
}
