/**
 * Installs what the tests in a real n8n need: n8n and its Node.js from npm, n8n's native modules, and
 * Chromium, PostgreSQL and Redis from Debian. Skips what is installed. To install another version than
 * that of the lock file and update the lock file: `npm run setup:n8n -- n8n@latest`.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { chromium, folder, locate, nodeBin, nodeFolder, postgres, redis } from './support/programs';

/** The hash of the lock file that was installed last; comparing 2,000 packages takes long. */
const STAMP = path.join(folder, 'node_modules/.installed');

function run(command: string, args: string[], env: NodeJS.ProcessEnv = {}): void {
	console.log(`> ${command} ${args.join(' ')}`);
	execFileSync(command, args, {
		cwd: folder,
		stdio: ['ignore', 'inherit', 'inherit'],
		env: { ...process.env, ...env },
	});
}

function hashOfLock(): string {
	const lock = readFileSync(path.join(folder, 'package-lock.json'));
	return createHash('sha256').update(lock).digest('hex');
}

function installPackages(named: string[]): void {
	const isInstalled = existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hashOfLock();
	if (isInstalled && named.length === 0) return;

	const quietly = ['--no-audit', '--no-fund', '--loglevel=error'];
	run('npm', [...(named.length > 0 ? ['install', ...named] : ['ci']), ...quietly]);
	// Only these packages need their build scripts, with the headers of the Node.js that runs n8n.
	run('npm', ['rebuild', 'sqlite3', 'isolated-vm', '--ignore-scripts=false', ...quietly], {
		PATH: `${nodeBin}${path.delimiter}${process.env.PATH}`,
		npm_config_nodedir: nodeFolder,
	});
	writeFileSync(STAMP, hashOfLock());
}

function installPrograms(): void {
	const programs = [chromium, postgres, redis];
	const missing = programs.filter(({ find }) => !find()).map(({ debian }) => debian);
	if (missing.length === 0) return;
	apt('update', '-qq');
	apt('install', '-y', '-qq', '--no-install-recommends', ...missing);
	programs.forEach(locate);
}

function apt(...args: string[]): void {
	const asRoot = process.getuid?.() === 0 ? [] : ['sudo'];
	// RUNLEVEL=1 keeps packages from starting their services: the tests start their own.
	const quietly = ['env', 'DEBIAN_FRONTEND=noninteractive', 'RUNLEVEL=1'];
	const [command = '', ...rest] = [...asRoot, ...quietly, 'apt-get', ...args];
	run(command, rest);
}

installPackages(process.argv.slice(2));
installPrograms();
