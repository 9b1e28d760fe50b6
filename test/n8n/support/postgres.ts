import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { freePort } from './ports';
import { asUser, BackgroundProcess } from './processes';
import { locate, postgres } from './programs';

const run = promisify(execFile);

/** PostgreSQL refuses to run as root; Debian's package creates this user for it. */
const user = process.getuid?.() === 0 ? 'postgres' : undefined;

/** The superuser of the database. */
const SUPERUSER = 'n8n';

/** A PostgreSQL server on loopback that requires no password. */
export class Postgres {
	#server?: BackgroundProcess;
	#port = 0;

	readonly #name: string;
	readonly #folder: string;

	private constructor(name: string, folder: string) {
		this.#name = name;
		this.#folder = folder;
	}

	/**
	 * Prepares an empty server without starting it.
	 *
	 * @param name names its log
	 */
	static async create(name: string): Promise<Postgres> {
		const folder = path.join(tmpdir(), `profile-page-postgres-${randomUUID()}`);
		await initialize(folder);
		return new Postgres(name, folder);
	}

	/** Starts it, and waits until it is ready. */
	async start(): Promise<void> {
		// As late as possible, so that no other program uses the port first.
		this.#port = await freePort();
		this.#server = BackgroundProcess.start({
			name: this.#name,
			command: locate(postgres),
			args: ['-D', this.#folder, '-p', String(this.#port), ...settings(this.#folder)],
			user,
		});
		await this.#server.until('ready', async () => await isReady(this.#port));
	}

	/** n8n's settings for this server, once it has been started. */
	get env(): NodeJS.ProcessEnv {
		return {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(this.#port),
			DB_POSTGRESDB_DATABASE: 'postgres',
			DB_POSTGRESDB_USER: SUPERUSER,
		};
	}

	/** Waits until all clients have disconnected, stops the server, and removes its folder. */
	async remove(): Promise<void> {
		await this.#server?.stop();
		rmSync(this.#folder, { recursive: true, force: true });
	}
}

/** Creates the folder as the user that runs PostgreSQL, who must own it. */
async function initialize(folder: string): Promise<void> {
	const initdb = path.join(path.dirname(locate(postgres)), 'initdb');
	const args = ['-D', folder, '-U', SUPERUSER, '--auth=trust', '--locale=C.UTF-8', '--no-sync'];
	await run('setpriv', [...asUser(user), '--pdeathsig=TERM', '--', initdb, ...args]);
}

function settings(folder: string): string[] {
	const values = {
		listen_addresses: '127.0.0.1',
		unix_socket_directories: folder,
		// The data is deleted after the tests, so it does not have to survive a crash.
		fsync: 'off',
		synchronous_commit: 'off',
		full_page_writes: 'off',
	};
	return Object.entries(values).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
}

async function isReady(port: number): Promise<boolean> {
	const pgIsReady = path.join(path.dirname(locate(postgres)), 'pg_isready');
	return await run(pgIsReady, ['-q', '-h', '127.0.0.1', '-p', String(port)]).then(
		() => true,
		() => false,
	);
}
