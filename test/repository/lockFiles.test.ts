import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { ROOT } from '../versions/versions';

const lockFiles = execFileSync('git', ['ls-files', '*package-lock.json'], { cwd: ROOT, encoding: 'utf8' })
	.trim()
	.split('\n');

// An address would stand unseen in thousands of lines, and its package be installed with an integrity of its own.
test.each(lockFiles)('%s names no address, so that all packages come from the registry', (name) => {
	const lines = readFileSync(path.join(ROOT, name), 'utf8').split('\n');
	expect(lines.filter((line) => /"resolved"|"version": "[^"]*:\/\//.test(line))).toEqual([]);
});

interface LockedPackage {
	name?: string;
	integrity?: string;
	link?: boolean;
	dependencies?: Record<string, string>;
	devDependencies?: Record<string, string>;
	optionalDependencies?: Record<string, string>;
}

/** Returns the packages that a lock file would install under the name of another one, or without an integrity. */
function suspectsIn(packages: Record<string, LockedPackage>): string[] {
	const declared = Object.values(packages).flatMap((each) =>
		Object.entries({ ...each.dependencies, ...each.devDependencies, ...each.optionalDependencies }),
	);
	const isAlias = (alias: string, name: string) =>
		declared.some(([as, version]) => as === alias && version.startsWith(`npm:${name}@`));
	return Object.entries(packages).flatMap(([folder, { name, integrity, link }]) => {
		if (folder === '' || link) return [];
		const alias = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
		const isKnown = name === undefined || isAlias(alias, name);
		return integrity && isKnown ? [] : [folder];
	});
}

test.each(lockFiles)('%s installs no package under the name of another one', (name) => {
	const { packages } = JSON.parse(readFileSync(path.join(ROOT, name), 'utf8')) as {
		packages: Record<string, LockedPackage>;
	};
	expect(suspectsIn(packages)).toEqual([]);
});
