/**
 * Runs workflows with the built package in n8n's own engine (n8n-core), in this process, with the real
 * request helpers, item pairing and error outputs.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

// n8n-core reads these settings when it is first used.
if (!process.env.N8N_USER_FOLDER) {
	const folder = mkdtempSync(path.join(tmpdir(), 'n8n-runner-'));
	process.env.N8N_USER_FOLDER = folder;
	process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}
// Otherwise n8n 1 warns about the permissions of its own settings file.
process.env.N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS ??= 'true';
// n8n 2.41 logs every node error to the console; callers find it in the result of the run.
process.env.N8N_LOG_LEVEL ??= 'silent';
process.env.N8N_ENCRYPTION_KEY ??= 'not secret: credentials are kept in memory';

export { CredentialStore } from './credentialStore';
export { loadList } from './loadList';
export { type LoadedPackage, loadPackage } from './loadPackage';
export { describePlainNode, plainFields } from './plainNode';
export { processedData } from './processedData';
export { PollingTrigger, type PollingWay } from './pollingTrigger';
export { runWorkflow, stopEngine, type WorkflowFile } from './runWorkflow';
export { testCredential } from './testCredential';
export { useCredential } from './useCredential';
