import type { FastifyInstance, FastifyRequest } from 'fastify';

import { MisdirectedRequest } from './errors';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** Whether a host name, as in a URL, is one of this machine's own (RFC 8252, section 7.3). */
export function isLoopback(hostname: string): boolean {
	return LOOPBACK.test(hostname);
}

/**
 * Refuses requests whose `Host` header names another machine. The sandbox listens on loopback only, so
 * such a request comes from a browser whose user visits a site that has pointed its own name at this
 * machine (DNS rebinding), and that could then read the answers. Any port is accepted, as a forwarded
 * port differs from the one that the sandbox listens on.
 */
export function refuseOtherHosts(server: FastifyInstance): void {
	server.addHook('onRequest', (request, _reply, done) => {
		const hostname = (request.headers.host ?? '').replace(/:\d+$/, '');
		done(isLoopback(hostname) ? undefined : new MisdirectedRequest(WRONG_HOST));
	});
}

const WRONG_HOST =
	'The Host header names another machine. Use localhost, 127.0.0.1 or [::1] in the address of the sandbox.';

/**
 * Whether a page of another site has sent a form (CSRF). Browsers send `Origin` with every POST, other
 * clients usually don't.
 */
export function isCrossOrigin({ headers }: FastifyRequest): boolean {
	const { origin, host = '' } = headers;
	return origin !== undefined && origin !== `http://${host}`;
}
