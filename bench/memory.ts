import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** The resident memory of a process of this machine (Linux). */
export class Memory {
	private constructor(private readonly folder: string) {}

	/** Finds the process of an n8n by its user folder, which is in its environment. */
	static ofN8n(userFolder: string): Memory {
		const wanted = `N8N_USER_FOLDER=${userFolder}`;
		const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
		const id = ids.find((name) =>
			readIfThere(`/proc/${name}/environ`).split('\0').includes(wanted),
		);
		if (!id) throw new Error(`There is no n8n with the user folder ${userFolder}`);
		return new Memory(`/proc/${id}`);
	}

	/** Forgets the peak: from now on it is what the process has now, or more. */
	resetPeak(): void {
		writeFileSync(`${this.folder}/clear_refs`, '5');
	}

	/** The most that the process has had since, in MiB. */
	get peak(): number {
		const [, kib] =
			/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`${this.folder}/status`, 'utf8')) ?? [];
		return Number(kib) / 1024;
	}
}

/** A process may end while the list is gone through. */
function readIfThere(file: string): string {
	try {
		return readFileSync(file, 'utf8');
	} catch {
		return '';
	}
}
