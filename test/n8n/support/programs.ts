import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** The folder of the package `n8n-nodes-profile-page-in-n8n`. */
export const folder = path.resolve(__dirname, '..');

/** A program that a Debian package installs. */
export interface DebianProgram {
	/** The Debian package. */
	debian: string;
	/** Returns its path, if it is installed. */
	find: () => string | undefined;
}

const ifExists = (file: string) => (existsSync(file) ? file : undefined);

function findPostgres(): string | undefined {
	const versions = '/usr/lib/postgresql';
	const [newest] = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a)) : [];
	return newest && ifExists(`${versions}/${newest}/bin/postgres`);
}

export const chromium: DebianProgram = { debian: 'chromium', find: () => ifExists('/usr/bin/chromium') };
export const postgres: DebianProgram = { debian: 'postgresql', find: findPostgres };
export const redis: DebianProgram = { debian: 'redis-server', find: () => ifExists('/usr/bin/redis-server') };

/** The tests in `test/integration/` use it too. */
export const nginx: DebianProgram = { debian: 'nginx-light', find: () => ifExists('/usr/sbin/nginx') };

/** @throws Error if it is not installed */
export function locate({ debian, find }: DebianProgram): string {
	const file = find();
	if (!file) throw new Error(`A program is not installed. Run: apt-get install ${debian}`);
	return file;
}
