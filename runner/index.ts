/**
 * n8n's own engine, in this process: enough of n8n around n8n-core to run the built package in a
 * workflow, with the real request helpers, item pairing and error outputs.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

// Read by n8n-core when it is first used: where it keeps its settings, and the key that it encrypts
// credentials with.
if (!process.env.N8N_USER_FOLDER) {
	const folder = mkdtempSync(path.join(tmpdir(), 'n8n-engine-'));
	process.env.N8N_USER_FOLDER = folder;
	process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}
// Without it, n8n 1 complains about a file that it has just made itself.
process.env.N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS ??= 'true';
// n8n 2.41 logs each error of a node to the console; callers have it in the result of the run.
process.env.N8N_LOG_LEVEL ??= 'silent';
process.env.N8N_ENCRYPTION_KEY ??= 'a key for credentials that live as long as this process';

export { CredentialStore } from './credentialStore';
export { loadList } from './loadList';
export { type LoadedPackage, loadPackage } from './loadPackage';
export { describePlainNode } from './plainNode';
export { runWorkflow, stopEngine, type WorkflowFile } from './runWorkflow';
export { testCredential } from './testCredential';
export { useCredential } from './useCredential';
