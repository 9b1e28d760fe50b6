import { setTimeout as wait } from 'node:timers/promises';

/** In milliseconds. */
const INTERVAL = 2;

/** Some seconds. The date does not limit them, because tests fake it. */
const ATTEMPTS = 2000;

/**
 * Waits until the condition is true.
 *
 * @throws Error with the condition's source if it is not met in some seconds
 */
export async function waitUntil(condition: () => boolean): Promise<void> {
	for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
		if (condition()) return;
		await wait(INTERVAL);
	}
	throw new Error(`Not met in time: ${String(condition)}`);
}
