import { randomInt } from 'node:crypto';

import { detectPort } from 'detect-port';

/** Below Linux's ephemeral ports, which outgoing connections could use in the meantime. */
const [FIRST_PORT, LAST_PORT] = [10_000, 32_000];

/** Returns a port of this machine that no program listens on. */
export async function freePort(): Promise<number> {
	return await detectPort(randomInt(FIRST_PORT, LAST_PORT));
}

export async function isFree(port: number): Promise<boolean> {
	return (await detectPort(port)) === port;
}

/** Returns this port, or the next one that is free. */
export async function nextFreePort(port: number): Promise<number> {
	return await detectPort(port);
}
