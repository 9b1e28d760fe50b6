import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import ts from 'typescript';

import manifest from '../../package.json';

const ROOT = path.resolve(__dirname, '../..');
const INSTALLED = Object.keys(manifest.devDependencies);

/** Returns the packages that a file and the files it imports load, by the name of the file. */
function findPackages(file: string, seen = new Set<string>()): Array<[string, string]> {
	if (seen.has(file)) return [];
	seen.add(file);
	const source = readFileSync(file, 'utf8').replace(/^import type .*? from '.*?';$/gms, '');
	const names = ts.preProcessFile(source).importedFiles.map(({ fileName }) => fileName);
	return names.flatMap((name) => {
		if (!name.startsWith('.')) return [[path.relative(ROOT, file), name] as [string, string]];
		const target = path.resolve(path.dirname(file), name);
		return name.endsWith('.json') ? [] : findPackages(`${target}.ts`, seen);
	});
}

test.each(['test/n8n/open.ts', 'test/n8n/setup.ts'])('%s loads nothing that it has yet to install', (file) => {
	const packages = findPackages(path.join(ROOT, file)).filter(
		([, name]) => !name.startsWith('node:') && !builtinModules.includes(name),
	);
	expect(packages.length).toBeGreaterThan(0);
	const isInstalled = (name: string) => INSTALLED.some((known) => name === known || name.startsWith(`${known}/`));
	expect(packages.filter(([, name]) => !isInstalled(name))).toEqual([]);
});
