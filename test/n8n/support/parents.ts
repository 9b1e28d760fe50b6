import { readFileSync } from 'node:fs';

/**
 * Returns the IDs of the process that started this one, and of the one that started that. One of them changes when
 * either ends. Elsewhere than on Linux, it returns the first only.
 */
export function parentIds(): string {
	return [process.ppid, findParent(process.ppid)].join();
}

function findParent(pid: number): string | undefined {
	try {
		// The name of the program, which may contain anything, is in parentheses.
		const [, parent] = /\) \w (\d+) [^)]*$/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
		return parent;
	} catch {
		return undefined;
	}
}
