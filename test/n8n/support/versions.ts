import { completeN8ns, defaultN8n, findVersions, type Version } from '../../versions/versions';

/** A version of n8n in a folder with its own `node_modules`. */
export type Installation = Pick<Version, 'n8n' | 'folder'>;

/** Names the version to test in; `run.ts` sets it. */
export const TESTED_N8N = 'PROFILE_PAGE_TESTED_N8N';

/** The n8n that the tests run in. */
export const testedN8n: Installation =
	findVersions(completeN8ns, [process.env[TESTED_N8N] ?? defaultN8n.n8n])[0] ?? defaultN8n;

/** Whether the editor and the settings of the n8n that is tested are those of n8n 1. */
export const isN8n1 = testedN8n.n8n.startsWith('1.');
