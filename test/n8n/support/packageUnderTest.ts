import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';

import manifest from '../../../package.json';
import { logFolder } from './processes';
import { folder } from './programs';

/** Contains the tarball that would be published. */
const packed = path.join(folder, '.packed');

/** Jest runs it once, before all suites. */
export default function beforeAll(): void {
	rmSync(logFolder, { recursive: true, force: true });
	packPackage();
}

/** Packs the built package, as for publishing. */
export function packPackage(): void {
	mkdirSync(packed, { recursive: true });
	execFileSync('npm', ['pack', '--pack-destination', packed], { cwd: path.resolve(folder, '../..'), stdio: 'ignore' });
}

/** The tarball that `packPackage` has written. */
const packedTarball = path.join(packed, `${manifest.name}-${manifest.version}.tgz`);

/** Installs a tarball as docs/installation.md describes for a file, by default the packed package. */
export function installPackage(userFolder: string, tarball = packedTarball): void {
	const nodes = path.join(userFolder, '.n8n/nodes');
	mkdirSync(nodes, { recursive: true });
	execFileSync('npm', ['i', '--legacy-peer-deps', '--loglevel=error', tarball], {
		cwd: nodes,
		stdio: ['ignore', 'ignore', 'inherit'],
	});
}
