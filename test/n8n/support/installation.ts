import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import type { ListrTask } from 'listr2';

import { ROOT, type Version } from '../../versions/versions';
import { chromium, locate, nginx, postgres, redis } from './programs';
import { findNode } from './versions';

const run = promisify(execFile);

const lockOf = ({ folder }: Version) => path.join(folder, 'package-lock.json');

/** The hash of what was installed last; comparing 2,000 packages takes long. */
const stampOf = ({ folder }: Version) => path.join(folder, 'node_modules/.installed');

const QUIETLY = ['--no-audit', '--no-fund'];

/**
 * Tasks that install a version of n8n, its Node.js, and its native modules from npm.
 *
 * @param named packages to install in another version than that of the lock file, which is updated
 */
export function n8nTasks(installation: Version, named: string[] = []): ListrTask[] {
	const stamp = stampOf(installation);
	const isInstalled = named.length === 0 && existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOf(installation);
	if (isInstalled) return [];
	const { n8n, folder } = installation;
	const modules = path.join(path.relative(ROOT, folder), 'node_modules');
	return [
		{
			title: `Download n8n ${n8n}, which takes some minutes: 400 MB, 2.4 GB on disk, in ${modules}`,
			task: async () => {
				const command = named.length > 0 ? ['install', ...named] : ['ci'];
				await run('npm', [...command, '--ignore-scripts', ...QUIETLY, '--loglevel=error'], { cwd: folder });
			},
		},
		{
			title: 'Compile its native modules, which takes a few minutes',
			task: async () => {
				await compileModules(folder);
				writeFileSync(stamp, hashOf(installation));
			},
		},
	];
}

/** Tasks that install the programs that only tests need, from Debian. */
export function programTasks(): ListrTask[] {
	const programs = [chromium, nginx, postgres, redis];
	const missing = programs.filter(({ find }) => !find());
	if (missing.length === 0) return [];
	return [
		{
			title: `Install ${missing.map(({ debian }) => debian).join(', ')}`,
			task: async () => {
				await apt('update', '-qq');
				const packages = missing.map(({ debian }) => debian);
				await apt('install', '-y', '-qq', '--no-install-recommends', ...packages);
				programs.forEach(locate);
			},
		},
	];
}

/** Returns the hash of the lock file and, unless it has a Node.js, of the one that the native modules are compiled for. */
function hashOf(installation: Version): string {
	const hash = createHash('sha256').update(readFileSync(lockOf(installation)));
	if (findNode(installation.folder).program === process.execPath) hash.update(process.version);
	return hash.digest('hex');
}

/** Only these packages need their build scripts, with the headers of the Node.js that runs n8n. */
async function compileModules(folder: string): Promise<void> {
	const { program, headers } = findNode(folder);
	const packages = ['sqlite3', 'isolated-vm'];
	await run('npm', ['rebuild', ...packages, '--ignore-scripts=false', ...QUIETLY], {
		cwd: folder,
		env: {
			...process.env,
			PATH: `${path.dirname(program)}${path.delimiter}${process.env.PATH}`,
			// It would download what others have compiled, without a checksum. The other one contains that.
			npm_config_build_from_source: 'sqlite3',
			...(headers && { npm_config_nodedir: headers }),
		},
	});
}

async function apt(...args: string[]): Promise<void> {
	const asRoot = process.getuid?.() === 0 ? [] : ['sudo'];
	// RUNLEVEL=1 keeps packages from starting their services: the tests start their own.
	const quietly = ['env', 'DEBIAN_FRONTEND=noninteractive', 'RUNLEVEL=1'];
	const [command = '', ...rest] = [...asRoot, ...quietly, 'apt-get', ...args];
	await run(command, rest);
}
