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

test.each(lockFiles)('%s has the integrity of each package', (name) => {
	const { packages } = JSON.parse(readFileSync(path.join(ROOT, name), 'utf8')) as {
		packages: Record<string, { integrity?: string; link?: boolean }>;
	};
	const unchecked = Object.entries(packages).filter(([folder, { integrity, link }]) => folder && !link && !integrity);
	expect(unchecked).toEqual([]);
});
