import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';

import { Account, type PageSeed } from './account';
import { registerActions } from './actions';
import { registerApi } from './api';
import type { App } from './oauth/apps';
import { redirectUriCheck } from './oauth/authorization';
import { registerConsent } from './oauth/consent';
import { createCertificate } from './certificate';
import { Clock } from './clock';
import { OAuthError, statusOf, unknownPath } from './errors';
import { type FaultRule, Faults } from './faults';
import type { Group, NewLink } from './links';
import { BLOCKS_PATH, PAGES_PATH } from './listsApi';
import { resolveEndpoint } from './network';
import { OAuth } from './oauth/oauth';
import { Recorder } from './recorder';
import { seededApp, seededGroups, seededLinks, seededPages, seededPublicApp } from './seed';
import { registerAssets } from './page/layout';
import { registerPage } from './page/page';
import { websiteGuard } from './websites';

export interface SandboxOptions {
	/** 0, the default, picks a free port. */
	port?: number;
	/**
	 * The host to listen on; the loopback address 127.0.0.1 by default. `0.0.0.0` and `::` listen on all
	 * interfaces.
	 */
	host?: string;
	/** More names or addresses by which clients reach this machine. Any other host is rejected. */
	hostNames?: readonly string[];
	/** Serves https with a self-signed certificate. */
	tls?: boolean;
	/** What the clock shows at the start, in milliseconds since 1970; the real time by default. */
	time?: number;
	/** The private app. */
	clientId?: string;
	clientSecret?: string;
	/** More private apps, each with its own user name: `@` and its client ID. */
	privateApps?: readonly App[];
	/** Redirect URIs of the public app, in addition to those of an n8n on this machine. */
	redirectUris?: readonly string[];
	/** Lifetime of an access token, in seconds; 3600 by default. */
	tokenLifetime?: number;
	/** Delay of every API response, in milliseconds. */
	latency?: number;
	faults?: readonly FaultRule[];
	pages?: readonly PageSeed[];
	/** Oldest first; they get creation times some days apart, the newest some days before the start. */
	links?: readonly NewLink[];
	groups?: readonly Group[];
}

/** A running sandbox. */
export interface Sandbox {
	/** Without a trailing slash. */
	readonly baseUrl: string;
	/** All Base URLs, one for each address by which the sandbox is reached. */
	readonly baseUrls: readonly string[];
	/** Whether other machines can reach it. */
	readonly isExposed: boolean;
	/** The self-signed certificate in PEM format, for clients to trust. Undefined without TLS. */
	readonly certificate: string | undefined;
	/** The private app. */
	readonly clientId: string;
	readonly clientSecret: string;
	readonly publicApp: App;
	/** The time of the links. Tokens and codes expire in real time. */
	readonly clock: Clock;
	readonly account: Account;
	readonly oauth: OAuth;
	readonly faults: Faults;
	readonly recorder: Recorder;
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
	const endpoint = await resolveEndpoint(options.host ?? '127.0.0.1', options.hostNames);
	const tls = options.tls ? await createCertificate(endpoint.knownHosts) : undefined;
	const { clientId, clientSecret } = { ...seededApp, ...options };
	const registration = {
		privateApps: [{ clientId, clientSecret }, ...(options.privateApps ?? [])],
		publicApp: seededPublicApp,
		isRedirectUri: redirectUriCheck(options.redirectUris ?? []),
	};
	const clock = new Clock(options.time);
	const seed = {
		pages: options.pages ?? seededPages,
		links: options.links ?? seededLinks,
		groups: options.groups ?? seededGroups,
	};
	const account = new Account(seed, clock);
	const oauth = new OAuth(registration, options.tokenLifetime ?? 3600);
	const faults = new Faults(options.latency);
	for (const rule of options.faults ?? []) faults.add(rule);
	const recorder = new Recorder();

	const guard = websiteGuard(endpoint.knownHosts);
	const server = fastify({
		https: tls ? { cert: tls.certificate, key: tls.key } : null,
		forceCloseConnections: true,
		bodyLimit: BODY_LIMIT,
		// Errors before routing, such as a malformed path.
		frameworkErrors: (error, request, reply) => {
			try {
				guard(request, reply);
				sendError(reply, error);
			} catch (rejected) {
				sendError(reply, rejected);
			}
		},
	});
	server.addHook('onRequest', async (request, reply) => guard(request, reply));
	server.removeAllContentTypeParsers();
	server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
	handleErrors(server);
	recorder.register(server);
	faults.register(server);
	oauth.register(server);
	registerConsent(server, registration, oauth);
	registerApi(server, account, oauth);
	registerAssets(server);
	registerPage(server, { account, clock, faults, recorder, access: accessOf({ clientId, clientSecret }) });
	registerActions(server, { account, clock, faults });
	await server.listen({ host: endpoint.address, port: options.port ?? 0 });

	const { port } = server.server.address() as AddressInfo;
	const urlOf = (host: string) => `${tls ? 'https' : 'http'}://${host}:${port}`;
	return {
		baseUrl: urlOf(endpoint.hosts[0]),
		baseUrls: endpoint.hosts.map(urlOf),
		isExposed: endpoint.isExposed,
		certificate: tls?.certificate,
		clientId,
		clientSecret,
		publicApp: seededPublicApp,
		clock,
		account,
		oauth,
		faults,
		recorder,
		suspend: async () => await suspend(server.server),
		resume: async () => {
			await once(server.server.listen(port, endpoint.address), 'listening');
		},
		close: async () => await server.close(),
	};
}

/** What to enter in the credentials of n8n, by the names of the fields. */
function accessOf(app: App): Record<string, string> {
	return {
		'Client ID': app.clientId,
		'Client Secret': app.clientSecret,
		'Pages Path': PAGES_PATH,
		'Blocks Path': BLOCKS_PATH,
		'Client ID of the public app': seededPublicApp.clientId,
		'Client Secret of the public app': seededPublicApp.clientSecret,
	};
}

async function suspend(server: Server): Promise<void> {
	const closed = once(server, 'close');
	server.close();
	server.closeAllConnections();
	await closed;
}

function handleErrors(server: FastifyInstance): void {
	server.setNotFoundHandler(async (request, reply) => {
		return await reply.status(404).send({ status: false, errors: [unknownPath(request)] });
	});
	server.setErrorHandler((error, _request, reply) => sendError(reply, error));
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
