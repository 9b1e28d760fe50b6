import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
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

/** The tarball that `packPackage` has written. */
const packedTarball = path.join(packed, `${manifest.name}-${manifest.version}.tgz`);

/** The folder in which n8n finds packages that were installed by hand. */
const nodesFolder = (userFolder: string) => path.join(userFolder, '.n8n/nodes');

/** Installs a tarball as the README describes for a manual installation, by default the packed package. */
export function installPackage(userFolder: string, tarball = packedTarball): void {
	const nodes = nodesFolder(userFolder);
	mkdirSync(nodes, { recursive: true });
	execFileSync('npm', ['i', '--legacy-peer-deps', '--loglevel=error', tarball], {
		cwd: nodes,
		stdio: ['ignore', 'ignore', 'inherit'],
	});
}

/** Returns the version that is installed. */
export function installedVersion(userFolder: string): string {
	const file = path.join(nodesFolder(userFolder), 'node_modules', manifest.name, 'package.json');
	return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
