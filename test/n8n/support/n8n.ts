import { execFile, type ExecFileException } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import type { INodeExecutionData, IRun, IRunData } from 'n8n-workflow';

import { installPackage } from './packageUnderTest';
import { BackgroundProcess, freePort, inheritedEnvironment } from './processes';
import { folder } from './programs';
import { newSecret, requestN8n, Rest } from './rest';
import { findNode, testedN8n } from './versions';

const run = promisify(execFile);

const SCRIPT = path.join(testedN8n.folder, 'node_modules/n8n/bin/n8n');

export interface N8nOptions {
	/** Names its logs. */
	name: string;
	/** Settings of n8n, as environment variables. */
	env?: NodeJS.ProcessEnv;
	/** The port of the editor; a free port by default. */
	port?: number;
	/** The tarball to install; the packed package by default. */
	tarball?: string;
}

/** A real n8n with the package installed, in its own folder. */
export class N8n {
	readonly rest: Rest;
	readonly #name: string;
	/** The Node.js that runs it. */
	readonly #node = findNode(testedN8n.folder).program;
	readonly #env: NodeJS.ProcessEnv;
	#process?: BackgroundProcess;

	private constructor(
		{ name, env }: N8nOptions,
		/** Contains n8n's database and installed packages. */
		readonly userFolder: string,
		/** The port of the editor. */
		readonly port: number,
		brokerPort: number,
	) {
		this.#name = name;
		// n8n starts other programs with the same Node.js.
		const PATH = `${path.dirname(this.#node)}${path.delimiter}${process.env.PATH}`;
		this.#env = { PATH, ...settings(userFolder, port, brokerPort), ...env };
		this.rest = new Rest(this.baseUrl);
	}

	/** Prepares an n8n without starting it. */
	static async create(options: N8nOptions): Promise<N8n> {
		const userFolder = mkdtempSync(path.join(tmpdir(), 'profile-page-n8n-'));
		installPackage(userFolder, options.tarball);
		const port = options.port ?? (await freePort());
		return new N8n(options, userFolder, port, await freePort());
	}

	/** The URL of the editor. Browsers treat `localhost` as a secure origin. */
	get baseUrl(): string {
		return `http://localhost:${this.port}`;
	}

	/**
	 * Starts the server, and waits until it is ready.
	 *
	 * @param env further settings, until the next start
	 */
	async start(env?: NodeJS.ProcessEnv): Promise<void> {
		await this.startProcess('start', env).until('ready', async () => await isReady(this.baseUrl));
	}

	/** Starts what a command of n8n's CLI runs, such as a worker, without waiting for it. */
	startProcess(command: string, env?: NodeJS.ProcessEnv): BackgroundProcess {
		this.#process = BackgroundProcess.start({
			name: this.#name,
			command: this.#node,
			args: [SCRIPT, command],
			env: { ...this.#env, ...env },
		});
		return this.#process;
	}

	async stop(): Promise<void> {
		await this.#process?.stop();
	}

	/** Kills it without giving it a chance to clean up. */
	async kill(): Promise<void> {
		await this.#process?.kill();
	}

	/** Stops it, and removes its folder. */
	async remove(): Promise<void> {
		await this.stop();
		rmSync(this.userFolder, { recursive: true, force: true });
	}

	/**
	 * Runs a command of n8n's CLI. Returns its output.
	 *
	 * @param env further settings
	 */
	async command(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<string> {
		const { stdout } = await run(this.#node, [SCRIPT, ...args], {
			env: { ...inheritedEnvironment(), ...this.#env, ...env },
			maxBuffer: 64 * 1024 * 1024,
		}).catch((error: unknown) => {
			const { message, stdout, code, signal } = error as ExecFileException & { stdout: string };
			// n8n may crash while it exits, after it has printed the whole execution.
			if (signal && stdout.trimEnd().endsWith('}')) return { stdout };
			// n8n reports errors on stdout.
			throw new Error(`${message}\n${stdout}\nExit: ${code ?? signal}`);
		});
		return stdout;
	}

	/** Runs a workflow in its own process. Returns the output of the node with this name. */
	async execute(workflowId: string, node: string, env?: NodeJS.ProcessEnv): Promise<INodeExecutionData[]> {
		const printed = await this.command(['execute', `--id=${workflowId}`, '--rawOutput'], env);
		// n8n logs to the same stream, before and sometimes after the JSON.
		const [json = printed] = /^\{$.*?^\}$/ms.exec(printed) ?? [];
		const { data } = JSON.parse(json) as IRun;
		return firstOutput(data.resultData.runData, node);
	}

	/** Imports credentials or workflows with n8n's CLI. */
	async import(what: 'credentials' | 'workflow', contents: object[]): Promise<void> {
		const file = path.join(this.userFolder, `${what}.json`);
		writeFileSync(file, JSON.stringify(contents));
		await this.command([`import:${what}`, `--input=${file}`]);
	}
}

/** Returns the items of a node's first output. */
export function firstOutput(runData: IRunData, node: string): INodeExecutionData[] {
	return runData[node]?.[0]?.data?.main?.[0] ?? [];
}

function settings(userFolder: string, port: number, brokerPort: number): NodeJS.ProcessEnv {
	return {
		// Speeds up the start of later processes.
		NODE_COMPILE_CACHE: path.join(folder, '.compile-cache'),
		// With the tests' `test`, n8n prints nothing.
		NODE_ENV: 'production',
		N8N_USER_FOLDER: userFolder,
		N8N_PORT: String(port),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		N8N_ENCRYPTION_KEY: newSecret(),
		N8N_SECURE_COOKIE: 'false',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
	};
}

/** Whether n8n is ready. n8n 1 says so before its REST API responds. */
async function isReady(baseUrl: string): Promise<boolean> {
	const requests = ['/healthz/readiness', '/rest/settings'].map(
		async (path) => await requestN8n('GET', baseUrl + path),
	);
	return await Promise.all(requests).then(
		() => true,
		() => false,
	);
}
