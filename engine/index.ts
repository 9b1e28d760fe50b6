/**
 * n8n's own engine, in this process: enough of n8n around n8n-core to run the built package in a
 * workflow, with the real request helpers, item pairing and error outputs.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

// n8n-core keeps its settings and its encryption key in this folder; read when it is first used.
process.env.N8N_USER_FOLDER ??= mkdtempSync(path.join(tmpdir(), 'n8n-engine-'));

export { CredentialStore } from './credentialStore';
export { type LoadedPackage, loadPackage } from './loadPackage';
export { runWorkflow, stopEngine, type WorkflowFile } from './runWorkflow';
