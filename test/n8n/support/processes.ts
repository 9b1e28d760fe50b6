import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { detectPort } from 'detect-port';

import { folder } from './programs';

/** Below Linux's ephemeral ports, which outgoing connections could use in the meantime. */
const [FIRST_PORT, LAST_PORT] = [10_000, 32_000];

/** Returns a port of this machine that no program listens on: the given one, or the next one that is free. */
export async function freePort(first = randomInt(FIRST_PORT, LAST_PORT)): Promise<number> {
	return await detectPort(first);
}

/** The settings of n8n. Those of the reader's own n8n, such as its database, are not for the one that starts here. */
const SETTING_OF_N8N = /^(CREDENTIALS|DB|EXECUTIONS|EXTERNAL|GENERIC|N8N|OFFLOAD|QUEUE|WEBHOOK)_/;

/** Returns the environment of this process without settings of n8n. */
export function inheritedEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
	return Object.fromEntries(Object.entries(env).filter(([name]) => !SETTING_OF_N8N.test(name)));
}

/** Contains the logs of all processes that tests start. */
export const logFolder = path.join(folder, 'logs');

/** Returns what the processes with this name have printed. */
export const logOf = (name: string): string => readFileSync(path.join(logFolder, `${name}.log`), 'utf8');

export interface ProcessOptions {
	/** Its log is `logs/<name>.log`. */
	name: string;
	command: string;
	args: string[];
	env?: NodeJS.ProcessEnv;
	/** The user to run it as; the current user by default. */
	user?: string;
}

/** A process that runs in the background. */
export class BackgroundProcess {
	readonly #child: ChildProcess;

	private constructor(
		readonly name: string,
		child: ChildProcess,
	) {
		this.#child = child;
	}

	/** Starts a process. On Linux, the kernel terminates it when the current process ends, even by a crash. */
	static start({ name, command, args, env, user }: ProcessOptions): BackgroundProcess {
		mkdirSync(logFolder, { recursive: true });
		const log = openSync(path.join(logFolder, `${name}.log`), 'a');
		const isLinux = process.platform === 'linux';
		const bound = isLinux ? ['setpriv', ...asUser(user), '--pdeathsig=TERM', '--'] : [];
		const [program = command, ...rest] = [...bound, command, ...args];
		const child = spawn(program, rest, {
			env: { ...inheritedEnvironment(), ...env },
			stdio: ['ignore', log, log],
			// Its own process group, so that its child processes can be killed with it.
			detached: true,
		});
		closeSync(log);
		return new BackgroundProcess(name, child);
	}

	/** The ID of the process; undefined if it did not start. */
	get pid(): number | undefined {
		return this.#child.pid;
	}

	get isRunning(): boolean {
		return this.#child.exitCode === null && this.#child.signalCode === null;
	}

	/** Terminates it, and kills it if it has not ended after 20 seconds. */
	async stop(): Promise<void> {
		if (!this.isRunning) return;
		const closed = once(this.#child, 'close');
		this.#child.kill('SIGTERM');
		const timeLimit = wait(20_000, 'late', { ref: false });
		if ((await Promise.race([closed, timeLimit])) === 'late') await this.kill();
		else this.#endGroup();
	}

	/** Kills it without giving it a chance to clean up. */
	async kill(): Promise<void> {
		if (!this.isRunning) return;
		const closed = once(this.#child, 'close');
		this.#endGroup();
		await closed;
	}

	#endGroup(): void {
		try {
			if (this.#child.pid) process.kill(-this.#child.pid, 'SIGKILL');
		} catch {
			// All processes of the group have ended.
		}
	}

	/** Waits until a condition is met, and fails if the process ends first. */
	async until(what: string, isMet: () => boolean | Promise<boolean>, seconds = 90): Promise<void> {
		await until(
			`${this.name}: ${what}`,
			async () => {
				if (!this.isRunning) throw new Error(`${this.name} ended. See ${logFolder}`);
				return await isMet();
			},
			seconds,
		);
	}
}

/** Returns the arguments of `setpriv` for a user; none for the current user. */
export function asUser(user?: string): string[] {
	return user ? [`--reuid=${user}`, `--regid=${user}`, '--clear-groups'] : [];
}

/** Polls until a condition is met, for up to `seconds`. */
export async function until(what: string, isMet: () => boolean | Promise<boolean>, seconds = 90): Promise<void> {
	const end = Date.now() + seconds * 1000;
	while (!(await isMet())) {
		if (Date.now() > end) throw new Error(`Timed out after ${seconds} s: ${what}`);
		await wait(100);
	}
}
