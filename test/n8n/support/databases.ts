/** A PostgreSQL and a Redis server on loopback for tests, each with a temporary folder and without a password. */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { asUser, BackgroundProcess, freePort, logOf } from './processes';
import { locate, postgres, redis } from './programs';

/** PostgreSQL refuses to run as root; Debian's package creates this user for it. */
const user = process.getuid?.() === 0 ? 'postgres' : undefined;

/** The superuser of the database. */
const SUPERUSER = 'n8n';

/** A running server. */
export interface Database {
	/** n8n's settings for it. */
	env: NodeJS.ProcessEnv;
	/** Stops it, once all clients have disconnected, and removes its folder. */
	remove(): Promise<void>;
}

const newFolder = () => path.join(tmpdir(), `profile-page-database-${randomUUID()}`);

export async function startPostgres(): Promise<Database> {
	const folder = newFolder();
	const command = locate(postgres);
	const initialize = [path.join(path.dirname(command), 'initdb'), '-D', folder, '-U', SUPERUSER];
	// As the user that runs PostgreSQL, who must own the folder.
	execFileSync('setpriv', [...asUser(user), '--', ...initialize, '--auth=trust', '--locale=C.UTF-8', '--no-sync']);
	const port = String(await freePort());
	// The data is deleted after the tests, so it does not have to survive a crash: -F.
	const args = ['-D', folder, '-p', port, '-h', '127.0.0.1', '-k', folder, '-F'];
	const env = {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: port,
		DB_POSTGRESDB_DATABASE: 'postgres',
		DB_POSTGRESDB_USER: SUPERUSER,
	};
	return { env, remove: await start({ name: 'postgres', command, args, user }, folder) };
}

/** Redis keeps its data in memory. */
export async function startRedis(): Promise<Database> {
	const folder = newFolder();
	mkdirSync(folder);
	const port = String(await freePort());
	const args = ['--port', port, '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
	const remove = await start({ name: 'redis', command: locate(redis), args }, folder);
	return { env: { QUEUE_BULL_REDIS_HOST: '127.0.0.1', QUEUE_BULL_REDIS_PORT: port }, remove };
}

/** Starts a server, and waits until it is ready. Returns what stops it, and removes its folder. */
async function start(options: Parameters<typeof BackgroundProcess.start>[0], folder: string) {
	const server = BackgroundProcess.start(options);
	await server.until('ready', () => /ready to accept connections/i.test(logOf(options.name)));
	return async () => {
		await server.stop();
		rmSync(folder, { recursive: true, force: true });
	};
}
