import path from 'node:path';

import { completeN8ns, defaultN8n, findVersions, NODE_PACKAGE } from '../../versions/versions';

/** Names the version to test in; `run.ts` sets it. */
export const TESTED_N8N = 'PROFILE_PAGE_TESTED_N8N';

/** The n8n that the tests run in. */
export const testedN8n = findVersions(completeN8ns, [process.env[TESTED_N8N] ?? defaultN8n.n8n])[0] ?? defaultN8n;

/** Whether the editor and the settings of the n8n that is tested are those of n8n 1. */
export const isN8n1 = testedN8n.n8n.startsWith('1.');

/** The oldest Node.js that runs the n8n versions that are installed here. */
const OLDEST_NODE = 24;

/** What n8n needs, for the first line of `npm run n8n`. */
export const REQUIREMENTS = `A complete n8n runs on Linux on x64, and with Node.js ${OLDEST_NODE} or later on macOS and any Linux. It takes 2.4 GB of disk space.`;

/** A Node.js that runs n8n. */
export interface NodeProgram {
	program: string;
	/** The folder with its headers, to compile native modules; undefined if they have to be downloaded. */
	headers?: string;
}

/**
 * Finds the Node.js that runs an n8n: on Linux on x64 the one that is installed with it, elsewhere the one that runs
 * this program.
 *
 * @param folder contains the `node_modules` of the n8n
 * @throws Error if this machine has none
 */
export function findNode(folder: string): NodeProgram {
	const { platform, arch, version, execPath } = process;
	if (platform === 'linux' && arch === 'x64') {
		const headers = path.join(folder, 'node_modules', NODE_PACKAGE);
		return { program: path.join(headers, 'bin/node'), headers };
	}
	const isPosix = platform === 'linux' || platform === 'darwin';
	if (isPosix && Number.parseInt(version.slice(1)) >= OLDEST_NODE) return { program: execPath };
	const advice = isPosix ? `Run it with Node.js ${OLDEST_NODE} or later` : 'Run it in WSL or in a Linux container';
	throw new Error(`n8n cannot run on ${platform} on ${arch} with Node.js ${version}. ${advice}.`);
}
