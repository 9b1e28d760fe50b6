import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** The resident memory of a process (Linux only). */
export class Memory {
	readonly #folder: string;

	private constructor(folder: string) {
		this.#folder = folder;
	}

	/** Finds the n8n process by the user folder in its environment. */
	static ofN8n(userFolder: string): Memory {
		const variable = `N8N_USER_FOLDER=${userFolder}`;
		const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
		const id = ids.find((name) => readEnvironment(name).split('\0').includes(variable));
		if (!id) throw new Error(`No n8n process has the user folder ${userFolder}`);
		return new Memory(`/proc/${id}`);
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

/** Returns an empty text for a process that has ended or belongs to another user. */
function readEnvironment(id: string): string {
	try {
		return readFileSync(`/proc/${id}/environ`, 'utf8');
	} catch {
		return '';
	}
}
