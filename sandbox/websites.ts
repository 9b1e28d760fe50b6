import type { FastifyInstance } from 'fastify';

import { Forbidden } from './errors';

/** A page loads only its own style and script. No page can be framed. */
const CONTENT_SECURITY_POLICY =
	"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; frame-ancestors 'none'";

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** Whether the host name of a URL refers to this machine (RFC 8252, section 7.3). */
export function isLoopback(hostname: string): boolean {
	return LOOPBACK.test(hostname);
}

/**
 * Protects the sandbox from the websites that its user visits. Requests are rejected before their body is read.
 *
 * - A website that resolves its own name to this machine could read the responses (DNS rebinding). So the `Host` header
 *   has to name this machine. Any port is accepted because of port forwarding.
 * - A website could submit a form. Browsers send `Origin` with every POST request; other clients usually do not.
 */
export function registerWebsiteGuard(server: FastifyInstance): void {
	server.addHook('onRequest', ({ headers: { host = '', origin }, protocol }, reply, next) => {
		reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
		reply.header('cache-control', 'no-store');
		if (!isLoopback(host.replace(/:\d+$/, ''))) throw new Forbidden('The Host header names another machine.');
		if (origin !== undefined && origin !== `${protocol}://${host}`) {
			throw new Forbidden('The request was sent by another site.');
		}
		next();
	});
}
