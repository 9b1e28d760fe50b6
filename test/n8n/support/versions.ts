import path from 'node:path';

import { completeN8ns, defaultN8n, findVersions, type Version } from '../../versions/versions';
import { findNode } from './node';

/** A version of n8n in a folder with its own `node_modules`. */
export type Installation = Pick<Version, 'n8n' | 'folder'>;

/** Names the version to test in; `run.ts` sets it. */
export const TESTED_N8N = 'PROFILE_PAGE_TESTED_N8N';

/** The n8n that the tests run in. */
export const testedN8n: Installation =
	findVersions(completeN8ns, [process.env[TESTED_N8N] ?? defaultN8n.n8n])[0] ?? defaultN8n;

/** Whether the editor and the settings of the n8n that is tested are those of n8n 1. */
export const isN8n1 = testedN8n.n8n.startsWith('1.');

/**
 * Returns an n8n and the next one, of which one is the given one: the upgrade to it, or, for the oldest n8n, the
 * upgrade from it.
 */
export function upgradeOf({ n8n }: Installation): [from: Installation, to: Installation] {
	const oldestFirst = completeN8ns.toReversed();
	const index = oldestFirst.findIndex((installation) => installation.n8n === n8n);
	const [from, to] = oldestFirst.slice(Math.max(index - 1, 0));
	if (!from || !to) throw new Error('There is only one version of n8n');
	return [from, to];
}

/** How to start a version of n8n. */
export interface Program {
	/** The Node.js that runs it. */
	node: string;
	script: string;
	/** n8n starts other programs with the same Node.js. */
	env: NodeJS.ProcessEnv;
}

export function programOf({ folder }: Installation): Program {
	const { program } = findNode(folder);
	const script = path.join(folder, 'node_modules/n8n/bin/n8n');
	const PATH = `${path.dirname(program)}${path.delimiter}${process.env.PATH}`;
	return { node: program, script, env: { PATH } };
}
