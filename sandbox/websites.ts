import type { FastifyReply, FastifyRequest } from 'fastify';

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

/** Adds the headers to a response, and throws an error if a website may have sent the request. */
export type WebsiteGuard = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Protects the sandbox from the websites that its user visits. Requests are rejected before their body is read.
 *
 * @param knownHosts the hosts that clients may use besides those of this machine
 */
export function websiteGuard(knownHosts: readonly string[]): WebsiteGuard {
	const known = new Set(knownHosts);
	const wrongHost = `The Host header names another machine. Use one of these hosts of the sandbox: ${knownHosts.join(', ')}.`;
	return (request, reply) => {
		reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
		reply.header('x-frame-options', 'DENY');
		reply.header('cache-control', 'no-store');
		if (!isForHost(request, known)) throw new MisdirectedRequest(wrongHost);
		if (isCrossOrigin(request)) throw new Forbidden('The request was sent by another site.');
	};
}

/**
 * Whether the `Host` header names this machine or a known host. This protects against DNS rebinding: a website that
 * resolves its own name to this machine could otherwise read the responses. Any port is accepted because of port
 * forwarding.
 */
function isForHost({ headers }: FastifyRequest, known: ReadonlySet<string>): boolean {
	const hostname = (headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
	return isLoopback(hostname) || known.has(hostname);
}

/**
 * Whether another site has sent the request. Browsers send `Origin` with every POST request, and `Sec-Fetch-Site` also with
 * those for pictures and scripts; other clients usually send neither. A link or a redirect from another site to a page is
 * welcome, but not its form, its frame, or a link to the API.
 */
export function isCrossOrigin({ method, url, headers, protocol }: FastifyRequest): boolean {
	const { origin, host = '', 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': target } = headers;
	const isOfOtherSite = site === 'cross-site' || site === 'same-site';
	const isToPage = target === 'document' && !url.startsWith('/oauth/');
	const isLink = mode === 'navigate' && isToPage && ['GET', 'HEAD'].includes(method);
	return (isOfOtherSite && !isLink) || (origin !== undefined && origin !== `${protocol}://${host}`);
}
