import { readFileSync, writeFileSync } from 'node:fs';

/** The resident memory of a process (Linux only). */
export class Memory {
	readonly #folder: string;

	constructor(pid: number) {
		this.#folder = `/proc/${pid}`;
	}

	/** Resets the peak to the current memory. */
	resetPeak(): void {
		writeFileSync(`${this.#folder}/clear_refs`, '5');
	}

	/** The peak since the last reset, in MiB. */
	get peak(): number {
		const status = readFileSync(`${this.#folder}/status`, 'utf8');
		const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
		return Number(kib) / 1024;
	}
}
