import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';

import { registerActions } from './actions';
import { registerApi } from './api';
import { createCertificate } from './certificate';
import { OAuthError, statusOf, unknownPath } from './errors';
import { resolveEndpoint } from './network';
import { registerConsent } from './oauth/consent';
import { registerAssets } from './page/layout';
import { registerPage } from './page/page';
import { createService, type Service, type ServiceOptions } from './service';
import { registerWebsiteGuard } from './websites';

export interface SandboxOptions extends ServiceOptions {
	/** 0, the default, picks a free port. */
	port?: number;
	/** The host to listen on; by default 127.0.0.1. `0.0.0.0` and `::` listen on all interfaces. */
	host?: string;
	/** More names or addresses by which clients reach this machine. Any other host is rejected. */
	hostNames?: readonly string[];
	/** Serves https with a self-signed certificate. */
	tls?: boolean;
}

/** A running sandbox. */
export interface Sandbox extends Service {
	/** Without a trailing slash. */
	readonly baseUrl: string;
	/** All Base URLs, one for each address by which the sandbox is reached. */
	readonly baseUrls: readonly string[];
	/** Whether other machines can reach it. */
	readonly isExposed: boolean;
	/** The self-signed certificate in PEM format, for clients to trust. Undefined without TLS. */
	readonly certificate: string | undefined;
	/** Closes every connection and refuses new ones, like a service that is restarting. */
	suspend(): Promise<void>;
	/** Listens again on the same port. */
	resume(): Promise<void>;
	/** Closes every connection and stops listening. */
	close(): Promise<void>;
}

/** Enough for tens of thousands of blocks. */
const BODY_LIMIT = 4 * 1024 * 1024;

/**
 * Starts a service with the documented part of the API. Only this machine can reach it, unless the
 * options name another host.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { address, hosts, knownHosts, isExposed } = await resolveEndpoint(
		options.host ?? '127.0.0.1',
		options.hostNames,
	);
	const tls = options.tls ? await createCertificate(knownHosts) : undefined;
	const service = createService(options);
	const server = fastify({ https: tls ?? null, forceCloseConnections: true, bodyLimit: BODY_LIMIT });
	registerWebsiteGuard(server, knownHosts);
	register(server, service);
	await server.listen({ host: address, port: options.port ?? 0 });

	const { port } = server.server.address() as AddressInfo;
	const urlOf = (host: string) => `${tls ? 'https' : 'http'}://${host}:${port}`;
	return {
		...service,
		baseUrl: urlOf(hosts[0]),
		baseUrls: hosts.map(urlOf),
		isExposed,
		certificate: tls?.cert,
		suspend: async () => {
			const closed = once(server.server.close(), 'close');
			server.server.closeAllConnections();
			await closed;
		},
		resume: async () => {
			await once(server.server.listen(port, address), 'listening');
		},
		close: async () => await server.close(),
	};
}

function register(server: FastifyInstance, service: Service): void {
	// Bodies stay texts: they are recorded as they are, and forms are parsed where they are read.
	server.removeAllContentTypeParsers();
	server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
	server.setNotFoundHandler(async (request, reply) => {
		return await reply.status(404).send({ status: false, errors: [unknownPath(request)] });
	});
	server.setErrorHandler(async (error, _request, reply) => await sendError(reply, error));
	service.recorder.register(server);
	service.faults.register(server);
	service.oauth.register(server);
	registerConsent(server, service.oauth);
	registerApi(server, service);
	registerAssets(server);
	registerPage(server, service);
	registerActions(server, service);
}

function sendError(reply: FastifyReply, error: unknown): FastifyReply {
	if (error instanceof OAuthError) {
		const { code, message, statusCode } = error;
		reply.header('www-authenticate', code === 'invalid_token' ? 'Bearer' : 'Basic');
		return reply.status(statusCode).send({ status: false, error: code, error_description: message });
	}
	const errors = [error instanceof Error ? error.message : 'The sandbox failed.'];
	return reply.status(statusOf(error)).send({ status: false, errors });
}
