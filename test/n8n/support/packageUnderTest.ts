import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';

import manifest from '../../../package.json';
import { folder } from './programs';

const ROOT = path.resolve(folder, '../..');

/** Where the tarball is that n8n gets: what would be published. */
const packed = path.join(folder, '.packed');

/** Packs the built package, as for publishing. */
export function packPackage(): void {
	mkdirSync(packed, { recursive: true });
	execFileSync('npm', ['pack', '--pack-destination', packed], { cwd: ROOT, stdio: 'ignore' });
}

/** Installs the packed package by hand, as the README says, for an n8n with this user folder. */
export function installPackage(userFolder: string): void {
	const nodes = path.join(userFolder, '.n8n/nodes');
	mkdirSync(nodes, { recursive: true });
	const tarball = path.join(packed, `${manifest.name}-${manifest.version}.tgz`);
	execFileSync('npm', ['i', '--legacy-peer-deps', '--loglevel=error', tarball], {
		cwd: nodes,
		stdio: ['ignore', 'ignore', 'inherit'],
	});
}
