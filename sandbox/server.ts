import type { AddressInfo } from 'node:net';

import formbody from '@fastify/formbody';
import fastify, { type FastifyInstance } from 'fastify';
import rawBody from 'fastify-raw-body';

import { Account, BadRequest, type PageSeed } from './account';
import { registerApi } from './api';
import { type FaultRule, Faults } from './faults';
import { OAuth } from './oauth';
import { Recorder } from './recorder';
import { seededApp, seededPages } from './seed';
import { registerViewer } from './viewer';

export interface SandboxOptions {
	/** 0, the default, takes a free port. */
	port?: number;
	clientId?: string;
	clientSecret?: string;
	/** Lifetime of an access token, in seconds; 3600 if left out. */
	tokenLifetime?: number;
	/** How long every answer of the API waits, in milliseconds. */
	latency?: number;
	faults?: readonly FaultRule[];
	pages?: readonly PageSeed[];
}

/** The embedded service, running. */
export interface Sandbox {
	/** Where it listens: on loopback, without a trailing slash. */
	readonly baseUrl: string;
	readonly clientId: string;
	readonly clientSecret: string;
	readonly account: Account;
	readonly oauth: OAuth;
	readonly faults: Faults;
	readonly recorder: Recorder;
	/** Ends every connection and stops listening. */
	close(): Promise<void>;
}

/** The largest form: an order of tens of thousands of blocks. */
const BODY_LIMIT = 16 * 1024 * 1024;

/** Starts the documented part of the service on loopback, for trying, demos and tests. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { clientId, clientSecret } = { ...seededApp, ...options };
	const account = new Account(options.pages ?? seededPages);
	const oauth = new OAuth({
		clientId,
		clientSecret,
		tokenLifetime: options.tokenLifetime ?? 3600,
	});
	const faults = new Faults(options.latency);
	for (const rule of options.faults ?? []) faults.add(rule);
	const recorder = new Recorder();

	const server = fastify({ forceCloseConnections: true, bodyLimit: BODY_LIMIT });
	await readBodies(server);
	answerErrors(server);
	recorder.register(server);
	faults.register(server);
	oauth.register(server);
	registerApi(server, account, oauth);
	registerViewer(server, account);
	await server.listen({ host: '127.0.0.1', port: options.port ?? 0 });

	const { port } = server.server.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${port}`,
		clientId,
		clientSecret,
		account,
		oauth,
		faults,
		recorder,
		close: async () => await server.close(),
	};
}

/** Forms are parsed; a body of any other type is taken as a text, for the calls to refuse. */
async function readBodies(server: FastifyInstance): Promise<void> {
	await server.register(rawBody, { global: true });
	await server.register(formbody, { bodyLimit: BODY_LIMIT });
	server.removeContentTypeParser('application/json');
	server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
		done(null, body);
	});
}

function answerErrors(server: FastifyInstance): void {
	server.setNotFoundHandler(async (request, reply) => {
		const errors = [`There is no ${request.method} ${request.url}.`];
		return await reply.status(404).send({ status: false, errors });
	});
	server.setErrorHandler(async (error, _request, reply) => {
		const status = error instanceof BadRequest ? error.statusCode : 500;
		const errors = [error instanceof Error ? error.message : 'The sandbox failed.'];
		return await reply.status(status).send({ status: false, errors });
	});
}
