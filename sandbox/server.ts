import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';

import { registerActions } from './actions';
import { registerApi } from './api';
import { createCertificate } from './certificate';
import { OAuthError, statusOf, unknownPath } from './errors';
import { registerConsent } from './oauth/authorization';
import { registerAssets } from './page/layout';
import { registerPage } from './page/page';
import { createService, type Service, type ServiceOptions } from './service';
import { registerWebsiteGuard } from './websites';

export interface SandboxOptions extends ServiceOptions {
	/** 0, the default, picks a free port. */
	port?: number;
	/** Serves https with a self-signed certificate. */
	tls?: boolean;
}

/** A running sandbox. */
export interface Sandbox extends Service {
	/** Without a trailing slash. */
	readonly baseUrl: string;
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

/** Only this machine can reach the sandbox. */
const HOST = '127.0.0.1';

/** Starts a service with the documented part of the API. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const tls = options.tls ? await createCertificate() : undefined;
	const service = createService(options);
	const server = fastify({ https: tls ?? null, forceCloseConnections: true, bodyLimit: BODY_LIMIT });
	registerWebsiteGuard(server);
	register(server, service);
	await server.listen({ host: HOST, port: options.port ?? 0 });

	const { port } = server.server.address() as AddressInfo;
	return {
		...service,
		baseUrl: `${tls ? 'https' : 'http'}://${HOST}:${port}`,
		certificate: tls?.cert,
		suspend: async () => {
			const closed = once(server.server.close(), 'close');
			server.server.closeAllConnections();
			await closed;
		},
		resume: async () => {
			await once(server.server.listen(port, HOST), 'listening');
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
