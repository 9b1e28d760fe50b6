import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** What a process answers: functions whose argument and result can be sent as messages. */
type Handlers = Record<string, (argument: never) => unknown>;

interface Call {
	readonly id: number;
	readonly name: string;
	readonly argument: unknown;
}

interface Answer {
	readonly id: number;
	readonly result?: unknown;
	readonly error?: string;
}

interface Waiting {
	readonly resolve: (result: unknown) => void;
	readonly reject: (error: Error) => void;
}

/** Lets the process that started this one call these functions. This one ends when that one does. */
export function answerCalls(handlers: Handlers): void {
	process.on('message', (call: Call) => void answer(handlers, call));
	process.on('disconnect', () => process.exit());
}

async function answer(handlers: Handlers, { id, name, argument }: Call): Promise<void> {
	try {
		const result = await handlers[name]?.(argument as never);
		process.send?.({ id, result } satisfies Answer);
	} catch (error) {
		const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
		process.send?.({ id, error: message } satisfies Answer);
	}
}

/** A process of its own that runs a TypeScript file and answers calls. */
export class SideProcess<T extends Handlers> {
	readonly #child: ChildProcess;
	readonly #waiting = new Map<number, Waiting>();
	#calls = 0;

	/** @param file what it runs; it calls `answerCalls` */
	constructor(file: string) {
		this.#child = fork(file, { execArgv: ['--import', 'tsx'] });
		this.#child.on('message', (answer: Answer) => this.#settle(answer));
		this.#child.on('exit', () => {
			for (const { reject } of this.#waiting.values()) reject(new Error(`${file} ended.`));
		});
	}

	/**
	 * @param name the function to call
	 * @returns what it returns
	 * @throws Error if it throws
	 */
	async call<K extends keyof T & string>(
		name: K,
		argument: Parameters<T[K]>[0],
	): Promise<Awaited<ReturnType<T[K]>>> {
		const id = (this.#calls += 1);
		const result = new Promise<unknown>((resolve, reject) => {
			this.#waiting.set(id, { resolve, reject });
		});
		this.#child.send({ id, name, argument } satisfies Call);
		return (await result) as Awaited<ReturnType<T[K]>>;
	}

	async end(): Promise<void> {
		if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
		const ended = once(this.#child, 'exit');
		this.#child.disconnect();
		await ended;
	}

	#settle({ id, result, error }: Answer): void {
		const waiting = this.#waiting.get(id);
		this.#waiting.delete(id);
		if (error === undefined) waiting?.resolve(result);
		else waiting?.reject(new Error(error));
	}
}
