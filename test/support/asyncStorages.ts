import { AsyncLocalStorage } from 'node:async_hooks';

type Storage = AsyncLocalStorage<unknown>;

/** What all test files of a process share: their modules are their own, but not those of Node.js. */
const shared = AsyncLocalStorage as { used?: Set<Storage> };

/**
 * Disables the storages of earlier test files in this process. Jest makes one for each file and leaves it enabled, and
 * each one slows down every later promise.
 */
export function disableStorages(): void {
	shared.used ??= collectUsed();
	for (const storage of shared.used) storage.disable();
	shared.used.clear();
}

/** Returns a set to which each storage is added when it is used. */
function collectUsed(): Set<Storage> {
	const used = new Set<Storage>();
	const prototype = AsyncLocalStorage.prototype as { run: (this: Storage, ...parameters: never[]) => unknown };
	const { run } = prototype;
	prototype.run = function (...parameters) {
		used.add(this);
		return run.apply(this, parameters);
	};
	return used;
}
