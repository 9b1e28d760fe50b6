import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { freePort } from './ports';
import { Program } from './processes';
import { locate, postgres } from './programs';

const run = promisify(execFile);

/** PostgreSQL refuses to run as root; Debian brings a user for it. */
const user = process.getuid?.() === 0 ? 'postgres' : undefined;

/** The superuser of its databases, whatever the user of the machine is called. */
const SUPERUSER = 'n8n';

/** A PostgreSQL of its own, on loopback, that lets in whoever asks. */
export class Postgres {
	#server?: Program;
	#port = 0;

	private constructor(
		private readonly name: string,
		private readonly folder: string,
	) {}

	/**
	 * Prepares an empty one that is not running yet.
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
		// Not before: another program could have taken it in the meantime.
		this.#port = await freePort();
		this.#server = Program.start({
			name: this.name,
			command: locate(postgres),
			args: ['-D', this.folder, '-p', String(this.#port), ...settings(this.folder)],
			user,
		});
		await this.#server.until('ready', async () => await isReady(this.#port));
	}

	/** The settings with which n8n uses it, once it has been started. */
	get env(): NodeJS.ProcessEnv {
		return {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(this.#port),
			DB_POSTGRESDB_DATABASE: 'postgres',
			DB_POSTGRESDB_USER: SUPERUSER,
		};
	}

	/** Stops it, and removes its folder. It waits until nobody uses it any more. */
	async remove(): Promise<void> {
		await this.#server?.stop();
		rmSync(this.folder, { recursive: true, force: true });
	}
}

/** The folder is made by that user, to whom it must belong. */
async function initialize(folder: string): Promise<void> {
	const initdb = path.join(path.dirname(locate(postgres)), 'initdb');
	const asUser = user ? [`--reuid=${user}`, `--regid=${user}`, '--clear-groups'] : [];
	const args = ['-D', folder, '-U', SUPERUSER, '--auth=trust', '--locale=C.UTF-8', '--no-sync'];
	await run('setpriv', [...asUser, '--pdeathsig=TERM', '--', initdb, ...args]);
}

function settings(folder: string): string[] {
	const values = {
		listen_addresses: '127.0.0.1',
		unix_socket_directories: folder,
		// What it holds is of no use after the tests, so it need not survive a power cut.
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
