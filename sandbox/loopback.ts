import type { FastifyInstance, FastifyRequest } from 'fastify';

import { Forbidden, MisdirectedRequest } from './errors';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** Whether the host name of a URL refers to this machine (RFC 8252, section 7.3). */
export function isLoopback(hostname: string): boolean {
	return LOOPBACK.test(hostname);
}

/** The usual hosts of this machine, as in a URL. */
export const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Rejects requests whose `Host` header names neither this machine nor a known host. This protects
 * against DNS rebinding: a website that resolves its own name to this machine could otherwise read the
 * responses. Any port is accepted because of port forwarding.
 */
export function rejectOtherHosts(server: FastifyInstance, knownHosts: readonly string[]): void {
	const known = new Set(knownHosts);
	const wrongHost = `The Host header names another machine. Use one of these hosts of the sandbox: ${knownHosts.join(', ')}.`;
	server.addHook('onRequest', (request, _reply, done) => {
		const hostname = (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
		const isKnown = isLoopback(hostname) || known.has(hostname);
		done(isKnown ? undefined : new MisdirectedRequest(wrongHost));
	});
}

/**
 * Whether another site has sent the request (CSRF). Browsers send `Origin` with every POST request,
 * other clients usually do not.
 */
export function isCrossOrigin({ headers, protocol }: FastifyRequest): boolean {
	const { origin, host = '' } = headers;
	return origin !== undefined && origin !== `${protocol}://${host}`;
}

/** @throws Forbidden if another site has sent the request */
export function rejectCrossOrigin(request: FastifyRequest): void {
	if (isCrossOrigin(request)) throw new Forbidden('The form was not sent from this site.');
}
