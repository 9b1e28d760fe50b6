import { randomInt } from 'node:crypto';

import { detectPort } from 'detect-port';

/** Below Linux's ephemeral ports, which outgoing connections could use in the meantime. */
const [FIRST_PORT, LAST_PORT] = [10_000, 32_000];

/** Returns a port of this machine that no program listens on: the given one, or the next one that is free. */
export async function freePort(first = randomInt(FIRST_PORT, LAST_PORT)): Promise<number> {
	return await detectPort(first);
}
