import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Registration } from './apps';
import {
	type AuthorizationRequest,
	redirectUrl,
	readAuthorizationRequest,
	AuthorizationError,
	UntrustedRequest,
} from './authorization';
import { sendConsentForm, sendError, sendSignIn } from './consentPages';
import { fieldsOf } from '../form';
import type { OAuth } from './oauth';
import { type Owner, Sessions } from './session';

/** The authorize URL (docs/api.md, section 3). */
const PATH = '/manage/access';

export interface ConsentOptions extends Registration {
	owner: Owner;
	oauth: OAuth;
}

/**
 * The pages on which the owner signs in and allows or denies a public app access (RFC 6749, section
 * 4.1). The forms keep the query of the authorize URL, and each step validates it again. They need no CSRF token: the
 * sandbox rejects every form of another site.
 */
export class Consent {
	readonly #options: ConsentOptions;
	readonly #sessions: Sessions;

	constructor(options: ConsentOptions) {
		this.#options = options;
		this.#sessions = new Sessions(options.owner, PATH);
	}

	register(server: FastifyInstance): void {
		void server.register(async (routes) => {
			await routes.register(cookie);
			handleErrors(routes);
			routes.get(PATH, async (request, reply) => await this.#askForConsent(request, reply));
			routes.post(PATH, async (request, reply) => await this.#decide(request, reply));
			routes.post(`${PATH}/sign-in`, async (request, reply) => await this.#signIn(request, reply));
		});
	}

	async #askForConsent(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
		const { redirectUri } = this.#read(request);
		if (!this.#sessions.isSignedIn(request)) return await sendSignIn(reply, { action: signInUrl(request) });
		return await sendConsentForm(reply, {
			action: PATH + queryOf(request),
			app: this.#options.publicApp.clientId,
			account: this.#options.owner.userName,
			origin: new URL(redirectUri).origin,
		});
	}

	async #signIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
		this.#read(request);
		const { user_name: userName, password } = fieldsOf(request.body);
		if (this.#sessions.signIn(userName, password, reply)) {
			return await reply.redirect(PATH + queryOf(request), 303);
		}
		return await sendSignIn(reply.status(403), {
			action: signInUrl(request),
			rejected: { userName: typeof userName === 'string' ? userName : '' },
		});
	}

	async #decide(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
		const authorization = this.#read(request);
		const { redirectUri, state } = authorization;
		const { decision } = fieldsOf(request.body);
		if (!this.#sessions.isSignedIn(request)) {
			return await sendError(reply.status(403), 'Request rejected', SIGNED_OUT);
		}
		if (decision === 'deny') {
			throw new AuthorizationError('access_denied', DENIED, redirectUri, state);
		}
		if (decision !== 'allow') {
			return await sendError(reply.status(400), 'No decision made', 'Choose Allow or Deny.');
		}
		const code = await this.#options.oauth.issueCode(authorization);
		return await reply.redirect(redirectUrl(redirectUri, { code, state }), 303);
	}

	#read({ query }: FastifyRequest): AuthorizationRequest {
		return readAuthorizationRequest(query as Record<string, unknown>, this.#options);
	}
}

const DENIED = 'The account owner denied the app access.';
const SIGNED_OUT = 'The session has ended. Go back to the app and connect again.';

/** Handles the errors of the pages. */
function handleErrors(routes: FastifyInstance): void {
	routes.setErrorHandler(async (error, _request, reply) => {
		if (error instanceof AuthorizationError) return await reply.redirect(error.location, 303);
		if (!(error instanceof UntrustedRequest)) throw error;
		return await sendError(reply.status(400), 'Invalid authorization request', error.message);
	});
}

/** Returns the query unchanged, with its question mark. */
function queryOf({ url }: FastifyRequest): string {
	return url.slice(url.indexOf('?'));
}

function signInUrl(request: FastifyRequest): string {
	return `${PATH}/sign-in${queryOf(request)}`;
}
