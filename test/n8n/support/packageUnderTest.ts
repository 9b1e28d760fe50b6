import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';

import manifest from '../../../package.json';
import { folder } from './programs';

const ROOT = path.resolve(folder, '../..');

/** Contains the tarball that would be published. */
const packed = path.join(folder, '.packed');

/** Packs the built package, as for publishing. */
export function packPackage(): void {
	mkdirSync(packed, { recursive: true });
	execFileSync('npm', ['pack', '--pack-destination', packed], { cwd: ROOT, stdio: 'ignore' });
}

/** Installs the tarball as the README describes for a manual installation. */
export function installPackage(userFolder: string): void {
	const nodes = path.join(userFolder, '.n8n/nodes');
	mkdirSync(nodes, { recursive: true });
	const tarball = path.join(packed, `${manifest.name}-${manifest.version}.tgz`);
	execFileSync('npm', ['i', '--legacy-peer-deps', '--loglevel=error', tarball], {
		cwd: nodes,
		stdio: ['ignore', 'ignore', 'inherit'],
	});
}
