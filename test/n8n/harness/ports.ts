import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

async function listen(port: number): Promise<number> {
	const server = createServer().listen(port, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address() as AddressInfo;
	server.close();
	await once(server, 'close');
	return address.port;
}

/** @returns a port of this machine that nothing listens on */
export async function freePort(): Promise<number> {
	return await listen(0);
}

/** Whether nothing listens on a port of this machine. */
export async function isFree(port: number): Promise<boolean> {
	return await listen(port).then(
		() => true,
		() => false,
	);
}
