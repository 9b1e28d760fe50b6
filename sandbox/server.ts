import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import formbody from '@fastify/formbody';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import rawBody from 'fastify-raw-body';

import { Account, type PageSeed } from './account';
import { registerApi } from './api';
import type { App, Registration } from './oauth/apps';
import { redirectRule } from './oauth/authorization';
import { Consent } from './oauth/consent';
import { statusOf } from './errors';
import { type FaultRule, Faults } from './faults';
import type { Group, NewLink } from './links';
import { refuseOtherHosts } from './loopback';
import { OAuth } from './oauth/oauth';
import { Recorder } from './recorder';
import {
	seededApp,
	seededGroups,
	seededLinks,
	seededOwner,
	seededPages,
	seededPublicApp,
} from './seed';
import type { Owner } from './oauth/session';
import { registerViewer } from './viewer';

export interface SandboxOptions {
	/** 0, the default, takes a free port. */
	port?: number;
	/** The private app. */
	clientId?: string;
	clientSecret?: string;
	/** More private apps, each with a user name of its own: `@` and its client ID. */
	privateApps?: readonly App[];
	publicApp?: App;
	/** Who may let the public app in. */
	owner?: Owner;
	/** Where the public app may be answered, besides an n8n on this machine. */
	redirectUris?: readonly string[];
	/** Lifetime of an access token, in seconds; 3600 if left out. */
	tokenLifetime?: number;
	/** Lifetime of an authorization code, in seconds; 60 if left out. */
	codeLifetime?: number;
	/** How long every answer of the API waits, in milliseconds. */
	latency?: number;
	faults?: readonly FaultRule[];
	pages?: readonly PageSeed[];
	/** The links, the oldest first. */
	links?: readonly NewLink[];
	/** The groups that links can be in. */
	groups?: readonly Group[];
}

/** The embedded service, running. */
export interface Sandbox {
	/** Where it listens: on loopback, without a trailing slash. */
	readonly baseUrl: string;
	/** The private app. */
	readonly clientId: string;
	readonly clientSecret: string;
	readonly publicApp: App;
	readonly owner: Owner;
	readonly account: Account;
	readonly oauth: OAuth;
	readonly faults: Faults;
	readonly recorder: Recorder;
	/** Ends every connection and refuses new ones, as a service does that restarts. */
	suspend(): Promise<void>;
	/** Listens again, at the same address. */
	resume(): Promise<void>;
	/** Ends every connection and stops listening. */
	close(): Promise<void>;
}

/** The largest form: an order of tens of thousands of blocks. */
const BODY_LIMIT = 16 * 1024 * 1024;

/** Starts the documented part of the service on loopback, for trying, demos and tests. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { clientId, clientSecret } = { ...seededApp, ...options };
	const registration = registrationOf({ clientId, clientSecret }, options);
	const owner = options.owner ?? seededOwner;
	const account = new Account({
		pages: options.pages ?? seededPages,
		links: options.links ?? seededLinks,
		groups: options.groups ?? seededGroups,
	});
	const oauth = new OAuth({
		...registration,
		tokenLifetime: options.tokenLifetime ?? 3600,
		codeLifetime: options.codeLifetime ?? 60,
	});
	const consent = new Consent({ ...registration, owner, oauth });
	const faults = new Faults(options.latency);
	for (const rule of options.faults ?? []) faults.add(rule);
	const recorder = new Recorder();

	const server = fastify({
		forceCloseConnections: true,
		bodyLimit: BODY_LIMIT,
		// Errors that occur before the request reaches a route, such as a malformed path.
		frameworkErrors: (error, _request, reply) => void sendError(reply, error),
	});
	refuseOtherHosts(server);
	await readBodies(server);
	answerErrors(server);
	recorder.register(server);
	faults.register(server);
	oauth.register(server);
	consent.register(server);
	registerApi(server, account, oauth);
	registerViewer(server, account);
	await server.listen({ host: '127.0.0.1', port: options.port ?? 0 });

	const { port } = server.server.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${port}`,
		clientId,
		clientSecret,
		publicApp: registration.publicApp,
		owner,
		account,
		oauth,
		faults,
		recorder,
		suspend: async () => await suspend(server.server),
		resume: async () => {
			await once(server.server.listen(port, '127.0.0.1'), 'listening');
		},
		close: async () => await server.close(),
	};
}

async function suspend(server: Server): Promise<void> {
	const closed = once(server, 'close');
	server.close();
	server.closeAllConnections();
	await closed;
}

function registrationOf(defaultApp: App, options: SandboxOptions): Registration {
	return {
		privateApps: [defaultApp, ...(options.privateApps ?? [])],
		publicApp: options.publicApp ?? seededPublicApp,
		isRedirectUri: redirectRule(options.redirectUris ?? []),
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
		// The query may hold what is nobody's business.
		const [path] = request.url.split('?');
		const errors = [`There is no ${request.method} ${path}.`];
		return await reply.status(404).send({ status: false, errors });
	});
	server.setErrorHandler((error, _request, reply) => sendError(reply, error));
}

function sendError(reply: FastifyReply, error: unknown): FastifyReply {
	const errors = [error instanceof Error ? error.message : 'The sandbox failed.'];
	return reply.status(statusOf(error)).send({ status: false, errors });
}
