import type { FastifyInstance, FastifyRequest } from 'fastify';

import { MisdirectedRequest } from './errors';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** Whether the host name of a URL refers to this machine (RFC 8252, section 7.3). */
export function isLoopback(hostname: string): boolean {
	return LOOPBACK.test(hostname);
}

/**
 * Rejects requests whose `Host` header names another machine. This protects against DNS rebinding: a
 * website that resolves its own name to this machine could otherwise read the responses. Any port is
 * accepted because of port forwarding.
 */
export function rejectOtherHosts(server: FastifyInstance): void {
	server.addHook('onRequest', (request, _reply, done) => {
		const hostname = (request.headers.host ?? '').replace(/:\d+$/, '');
		done(isLoopback(hostname) ? undefined : new MisdirectedRequest(WRONG_HOST));
	});
}

const WRONG_HOST =
	'The Host header names another machine. Use localhost, 127.0.0.1 or [::1] as the host of the sandbox.';

/**
 * Whether another site has sent the request (CSRF). Browsers send `Origin` with every POST request,
 * other clients usually do not.
 */
export function isCrossOrigin({ headers }: FastifyRequest): boolean {
	const { origin, host = '' } = headers;
	return origin !== undefined && origin !== `http://${host}`;
}
