import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { folder } from './programs';

/** Where everything that is started writes what it has to say. */
export const logFolder = path.join(folder, 'logs');

export interface ProgramOptions {
	/** Its log is `logs/<name>.log`. */
	name: string;
	command: string;
	args: string[];
	env?: NodeJS.ProcessEnv;
	/** A user of this machine to run it as; the one that runs the tests if left out. */
	user?: string;
}

/** A program that goes on running beside the tests. */
export class Program {
	private constructor(
		readonly name: string,
		private readonly child: ChildProcess,
	) {}

	/**
	 * Starts a program that never outlives this process: however this process ends, the kernel then
	 * tells the program to stop.
	 */
	static start({ name, command, args, env, user }: ProgramOptions): Program {
		mkdirSync(logFolder, { recursive: true });
		const log = openSync(path.join(logFolder, `${name}.log`), 'a');
		const asUser = user ? [`--reuid=${user}`, `--regid=${user}`, '--clear-groups'] : [];
		const child = spawn('setpriv', [...asUser, '--pdeathsig=TERM', '--', command, ...args], {
			env: { ...process.env, ...env },
			stdio: ['ignore', log, log],
			// A process group of its own, so that what it starts in turn can be ended with it.
			detached: true,
		});
		closeSync(log);
		return new Program(name, child);
	}

	get isRunning(): boolean {
		return this.child.exitCode === null && this.child.signalCode === null;
	}

	/** Asks it to stop, and ends it if it has not done so after 20 seconds. */
	async stop(): Promise<void> {
		if (!this.isRunning) return;
		const closed = once(this.child, 'close');
		this.child.kill('SIGTERM');
		const timeLimit = wait(20_000, 'late', { ref: false });
		if ((await Promise.race([closed, timeLimit])) === 'late') await this.kill();
		else this.#endGroup();
	}

	/** Ends it at once, without a chance to tidy up. */
	async kill(): Promise<void> {
		if (!this.isRunning) return;
		const closed = once(this.child, 'close');
		this.#endGroup();
		await closed;
	}

	#endGroup(): void {
		try {
			if (this.child.pid) process.kill(-this.child.pid, 'SIGKILL');
		} catch {
			// Nothing of the group was left.
		}
	}

	/** Waits until something holds that this program is to bring about. */
	async until(what: string, holds: () => boolean | Promise<boolean>, seconds = 90): Promise<void> {
		await until(
			`${this.name}: ${what}`,
			async () => {
				if (!this.isRunning) throw new Error(`${this.name} ended. Look at ${logFolder}`);
				return await holds();
			},
			seconds,
		);
	}
}

/** Asks again and again whether something holds, for so many seconds. A question that fails is a no. */
export async function until(
	what: string,
	holds: () => boolean | Promise<boolean>,
	seconds = 30,
): Promise<void> {
	const end = Date.now() + seconds * 1000;
	while (!(await holds())) {
		if (Date.now() > end) throw new Error(`Not in ${seconds} s: ${what}`);
		await wait(100);
	}
}
