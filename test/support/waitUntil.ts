import { setTimeout as wait } from 'node:timers/promises';

/** Waits until the condition is true. */
export async function waitUntil(condition: () => boolean): Promise<void> {
	while (!condition()) await wait(2);
}
