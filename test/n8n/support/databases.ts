/** A PostgreSQL and a Redis server on loopback for tests, each with a temporary folder and without a password. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { freePort } from './ports';
import { asUser, BackgroundProcess } from './processes';
import { locate, postgres, redis } from './programs';

const run = promisify(execFile);

/** PostgreSQL refuses to run as root; Debian's package creates this user for it. */
const user = process.getuid?.() === 0 ? 'postgres' : undefined;

/** The superuser of the database. */
const SUPERUSER = 'n8n';

/** The data is deleted after the tests, so it does not have to survive a crash. */
const POSTGRES_SETTINGS = ['listen_addresses=127.0.0.1', 'fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

/** A running server. */
export interface Database {
	/** n8n's settings for it. */
	env: NodeJS.ProcessEnv;
	/** Stops it, once all clients have disconnected, and removes its folder. */
	remove(): Promise<void>;
}

/** @param name names its log, as that of every server here */
export async function startPostgres(name: string): Promise<Database> {
	const folder = newFolder();
	const programs = path.dirname(locate(postgres));
	const initdb = [path.join(programs, 'initdb'), '-D', folder, '-U', SUPERUSER];
	const initialize = [...initdb, '--auth=trust', '--locale=C.UTF-8', '--no-sync'];
	// As the user that runs PostgreSQL, who must own the folder.
	await run('setpriv', [...asUser(user), '--pdeathsig=TERM', '--', ...initialize]);
	const port = String(await freePort());
	const settings = [...POSTGRES_SETTINGS, `unix_socket_directories=${folder}`].flatMap((setting) => ['-c', setting]);
	const args = ['-D', folder, '-p', port, ...settings];
	const server = BackgroundProcess.start({ name, command: locate(postgres), args, user });
	const isReady = [path.join(programs, 'pg_isready'), '-q', '-h', '127.0.0.1', '-p', port];
	await server.until('ready', async () => await succeeds(isReady));
	const env = {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: port,
		DB_POSTGRESDB_DATABASE: 'postgres',
		DB_POSTGRESDB_USER: SUPERUSER,
	};
	return { env, remove: async () => await remove(server, folder) };
}

/** Redis keeps its data in memory. */
export async function startRedis(name: string): Promise<Database> {
	const folder = newFolder();
	mkdirSync(folder);
	const port = String(await freePort());
	const args = ['--port', port, '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
	const server = BackgroundProcess.start({ name, command: locate(redis), args });
	const ping = [path.join(path.dirname(locate(redis)), 'redis-cli'), '-e', '-h', '127.0.0.1', '-p', port, 'ping'];
	await server.until('ready', async () => await succeeds(ping));
	const env = { QUEUE_BULL_REDIS_HOST: '127.0.0.1', QUEUE_BULL_REDIS_PORT: port };
	return { env, remove: async () => await remove(server, folder) };
}

const newFolder = () => path.join(tmpdir(), `profile-page-database-${randomUUID()}`);

async function remove(server: BackgroundProcess, folder: string): Promise<void> {
	await server.stop();
	rmSync(folder, { recursive: true, force: true });
}

/** Whether a command exits without an error. */
async function succeeds([command = '', ...args]: readonly string[]): Promise<boolean> {
	return await run(command, args).then(
		() => true,
		() => false,
	);
}
