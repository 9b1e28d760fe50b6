import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that Linux gives to outgoing connections, which could take one in the meantime. */
const [FIRST_PORT, LAST_PORT] = [10_000, 32_000];

/** @returns a port of this machine that nothing listens on */
export async function freePort(): Promise<number> {
	const port = randomInt(FIRST_PORT, LAST_PORT);
	return (await isFree(port)) ? port : await freePort();
}

/** Whether nothing listens on a port of this machine. */
export async function isFree(port: number): Promise<boolean> {
	const server = createServer().listen(port, '127.0.0.1');
	try {
		await once(server, 'listening');
	} catch {
		return false;
	}
	server.close();
	await once(server, 'close');
	return true;
}
