import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { freePort } from './ports';
import { BackgroundProcess } from './processes';
import { locate, redis } from './programs';

const run = promisify(execFile);

/** A Redis server on loopback that keeps its data in memory. */
export class Redis {
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
	static create(name: string): Redis {
		return new Redis(name, mkdtempSync(path.join(tmpdir(), 'profile-page-redis-')));
	}

	/** Starts it, and waits until it is ready. */
	async start(): Promise<void> {
		// As late as possible, so that no other program uses the port first.
		this.#port = await freePort();
		const port = String(this.#port);
		this.#server = BackgroundProcess.start({
			name: this.#name,
			command: locate(redis),
			args: ['--port', port, '--bind', '127.0.0.1', '--dir', this.#folder, '--save', ''],
		});
		await this.#server.until('ready', async () => await isReady(port));
	}

	/** n8n's settings for this server, once it has been started. */
	get env(): NodeJS.ProcessEnv {
		return { QUEUE_BULL_REDIS_HOST: '127.0.0.1', QUEUE_BULL_REDIS_PORT: String(this.#port) };
	}

	/** Stops the server and removes its folder. */
	async remove(): Promise<void> {
		await this.#server?.stop();
		rmSync(this.#folder, { recursive: true, force: true });
	}
}

async function isReady(port: string): Promise<boolean> {
	const redisCli = path.join(path.dirname(locate(redis)), 'redis-cli');
	return await run(redisCli, ['-h', '127.0.0.1', '-p', port, 'ping']).then(
		({ stdout }) => stdout.trim() === 'PONG',
		() => false,
	);
}
