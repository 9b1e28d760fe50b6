import OAuth2Server from '@node-oauth/oauth2-server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { type App, fingerprintOf, type Registration } from './apps';
import type { Authorization } from './authorization';
import { Model, SCOPE } from './model';
import { readTokenRequest } from './tokenRequest';

export interface OAuthOptions extends Registration {
	/** Lifetime of an access token, in seconds. */
	tokenLifetime: number;
	/** Lifetime of an authorization code, in seconds. */
	codeLifetime: number;
}

/**
 * The OAuth 2.0 part of the service: tokens for a private app by the client_credentials grant (the
 * contract, section 4.2), codes and tokens for a public app by the authorization-code flow (the
 * contract, section 5.4; RFC 6749, sections 4.1 and 6), and the check of the bearer token on calls
 * (the contract, section 5.1).
 */
export class OAuth {
	readonly #model: Model;
	readonly #server: OAuth2Server;
	readonly #publicApp: App;
	readonly #otherPrivateApps: ReadonlySet<string>;
	readonly #initialLifetime: number;
	readonly #clientIds = new Map<string, string>();

	/** Lifetime of the access tokens issued from now on, in seconds. */
	tokenLifetime: number;

	/**
	 * Returns `expires_in` of a token response, given the lifetime of the token. A test may return
	 * anything else; undefined leaves it out.
	 */
	expiresIn: (lifetime: number) => unknown = asIs;

	constructor(options: OAuthOptions) {
		this.#model = new Model(options);
		this.#publicApp = options.publicApp;
		const [, ...others] = options.privateApps.map(({ clientId }) => clientId);
		this.#otherPrivateApps = new Set(others);
		this.#initialLifetime = options.tokenLifetime;
		this.tokenLifetime = options.tokenLifetime;
		this.#server = new OAuth2Server({
			model: this.#model,
			authorizationCodeLifetime: options.codeLifetime,
		});
	}

	/** Makes every access token that was given out so far invalid; refresh tokens keep working. */
	revokeAll(): void {
		this.#model.revokeAccessTokens();
	}

	/**
	 * Takes the owner's consent back: every code, access token and refresh token that the public app
	 * got so far is invalid, and the owner has to be asked anew.
	 */
	withdrawConsent(): void {
		this.#model.withdrawConsents();
	}

	/** Restores the lifetime of tokens that the sandbox was started with, and `expires_in` to it. */
	resetLifetime(): void {
		this.tokenLifetime = this.#initialLifetime;
		this.expiresIn = asIs;
	}

	/** The ID of the app that an access token was issued to, even if it has expired or was revoked. */
	clientOf(accessToken: string): string | undefined {
		return this.#clientIds.get(accessToken);
	}

	/** The user that an access token acts for: each private app after the first has one of its own. */
	usernameOf(accessToken: string): string {
		const clientId = this.clientOf(accessToken) ?? '';
		return this.#otherPrivateApps.has(clientId) ? `@${clientId}` : '@sandbox';
	}

	/** Adds the token endpoint. */
	register(server: FastifyInstance): void {
		server.post('/oauth/token', async (request, reply) => await this.#grant(request, reply));
	}

	/** Gives out a code for what the owner has allowed (RFC 6749, section 4.1.2). */
	async issueCode({ redirectUri, state }: Authorization): Promise<string> {
		const { authorizationCode } = await this.#server.authorize(
			new OAuth2Server.Request({
				headers: {},
				method: 'POST',
				query: {},
				body: {
					response_type: 'code',
					client_id: fingerprintOf(this.#publicApp),
					redirect_uri: redirectUri,
					state,
				},
			}),
			new OAuth2Server.Response(),
			// A user for each consent: the model tells consents apart by it.
			{ authenticateHandler: { handle: () => ({}) } },
		);
		return authorizationCode;
	}

	/** Answers with 401 unless the request carries a valid token in its Authorization header. */
	async authenticate({ headers }: FastifyRequest, reply: FastifyReply): Promise<unknown> {
		try {
			if (!headers.authorization) {
				throw new OAuth2Server.UnauthorizedRequestError('Send the access token as Bearer.');
			}
			return await this.#server.authenticate(
				new OAuth2Server.Request({
					headers: headers as Record<string, string>,
					method: 'GET',
					query: {},
				}),
				new OAuth2Server.Response(),
			);
		} catch (error) {
			return await refuse(reply.header('www-authenticate', 'Bearer'), error);
		}
	}

	async #grant(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
		try {
			const lifetime = this.tokenLifetime;
			const token = await this.#exchange(readTokenRequest(request), lifetime);
			this.#clientIds.set(token.accessToken, token.client.id);
			return await reply.header('cache-control', 'no-store').send({
				access_token: token.accessToken,
				...(token.refreshToken && { refresh_token: token.refreshToken }),
				expires_in: this.expiresIn(lifetime),
				token_type: 'Bearer',
				scope: SCOPE,
			});
		} catch (error) {
			return await refuse(reply.header('www-authenticate', 'Basic'), error);
		}
	}

	/**
	 * The form is known to be whole. So what the library calls a bad request is a code that cannot be,
	 * or another redirect_uri, which RFC 6749 calls a bad grant (section 5.2).
	 */
	async #exchange(
		request: OAuth2Server.Request,
		accessTokenLifetime: number,
	): Promise<OAuth2Server.Token> {
		try {
			return await this.#server.token(request, new OAuth2Server.Response(), {
				accessTokenLifetime,
			});
		} catch (error) {
			if (!(error instanceof OAuth2Server.InvalidRequestError)) throw error;
			throw new OAuth2Server.InvalidGrantError(error.message);
		}
	}
}

function asIs(lifetime: number): number {
	return lifetime;
}

async function refuse(reply: FastifyReply, error: unknown): Promise<unknown> {
	if (!(error instanceof OAuth2Server.OAuthError)) throw error;
	return await reply
		.status(error.code)
		.send({ status: false, error: error.name, error_description: error.message });
}
