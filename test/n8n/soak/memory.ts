import { readFileSync } from 'node:fs';

import { median } from '../support/median';

interface Sample {
	/** Minutes since the first sample. */
	minute: number;
	/** In MiB. */
	resident: number;
}

/** Records the resident memory of a process at an interval (Linux only). */
export class MemoryRecorder {
	readonly #pid: number;
	readonly #start = Date.now();
	readonly #samples: Sample[] = [];
	readonly #timer: NodeJS.Timeout;

	/** @param interval in milliseconds */
	constructor(pid: number, interval: number) {
		this.#pid = pid;
		this.#record();
		this.#timer = setInterval(() => this.#record(), interval);
	}

	/** Ends the recording, and returns what it found. */
	stop(): MemoryTrend {
		clearInterval(this.#timer);
		this.#record();
		return new MemoryTrend(this.#samples);
	}

	#record(): void {
		const status = readFileSync(`/proc/${this.#pid}/status`, 'utf8');
		const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
		const minute = (Date.now() - this.#start) / 60_000;
		this.#samples.push({ minute, resident: Number(kib) / 1024 });
	}
}

/** How the memory of a process changed. */
export class MemoryTrend {
	readonly #samples: readonly Sample[];

	constructor(samples: readonly Sample[]) {
		this.#samples = samples;
	}

	get first(): number {
		return this.#samples[0]?.resident ?? NaN;
	}

	get last(): number {
		return this.#samples.at(-1)?.resident ?? NaN;
	}

	/** The medians of the four quarters of the time, in MiB. Garbage collection hardly moves them. */
	get quarters(): number[] {
		const size = this.#samples.length / 4;
		return [0, 1, 2, 3].map((quarter) => {
			const samples = this.#samples.slice(Math.floor(quarter * size), Math.floor((quarter + 1) * size));
			return median(samples.map(({ resident }) => resident));
		});
	}

	/** By what part the last quarter exceeds the second one. In the first, n8n loads code and fills caches. */
	get growth(): number {
		const [, second = NaN, , fourth = NaN] = this.quarters;
		return fourth / second - 1;
	}

	/** The samples as CSV. */
	get csv(): string {
		const lines = this.#samples.map(({ minute, resident }) => `${minute.toFixed(2)},${resident.toFixed(1)}`);
		return ['minute,resident_mib', ...lines, ''].join('\n');
	}
}
