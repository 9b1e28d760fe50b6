import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts a plain HTTP server on loopback, for responses that no sandbox gives. */
export async function startHttpServer(listener: RequestListener) {
	const server = createServer(listener);
	await once(server.listen(0, '127.0.0.1'), 'listening');
	return {
		origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}
