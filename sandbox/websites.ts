import type { FastifyInstance } from 'fastify';

import { Forbidden, MisdirectedRequest } from './errors';
import { isLoopback } from './network';

/** A page loads only its own style and script. No page can be framed. */
const CONTENT_SECURITY_POLICY = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"connect-src 'self'",
	'img-src data:',
	"base-uri 'none'",
	"frame-ancestors 'none'",
].join('; ');

/**
 * Protects the sandbox from the websites that its user visits. Requests are rejected before their body is read.
 *
 * - A website that resolves its own name to this machine could read the responses (DNS rebinding). So the `Host` header
 *   has to name this machine. Any port is accepted because of port forwarding.
 * - A website could submit a form. Browsers send `Origin` with every POST request; other clients usually do not.
 *
 * @param knownHosts the hosts that clients may use besides those of this machine
 */
export function registerWebsiteGuard(server: FastifyInstance, knownHosts: readonly string[]): void {
	const known = new Set(knownHosts);
	server.addHook('onRequest', ({ headers: { host = '', origin }, protocol }, reply, next) => {
		reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
		reply.header('cache-control', 'no-store');
		const hostname = host.replace(/:\d+$/, '').toLowerCase();
		if (!isLoopback(hostname) && !known.has(hostname)) {
			throw new MisdirectedRequest(
				`The Host header names another machine. Use one of these hosts of the sandbox: ${knownHosts.join(', ')}.`,
			);
		}
		if (origin !== undefined && origin !== `${protocol}://${host}`) {
			throw new Forbidden('The request was sent by another site.');
		}
		next();
	});
}
