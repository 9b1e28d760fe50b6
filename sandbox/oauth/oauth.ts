import OAuth2Server from '@node-oauth/oauth2-server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { type App, libraryClientIdOf, type Registration } from './apps';
import type { AuthorizationRequest } from './authorization';
import { Model, SCOPE } from './model';
import { readTokenRequest } from './tokenRequest';

/** Lifetime of an authorization code, in seconds. */
const CODE_LIFETIME = 60;

/**
 * The OAuth 2.0 server: the client_credentials grant for private apps (docs/api.md, section 3.2), the
 * authorization_code and refresh_token grants for the public app (section 3.3; RFC 6749, sections 4.1
 * and 6), and bearer authentication of API calls (section 3.1).
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

	/** Returns `expires_in` for a token response; undefined omits it. Tests may replace it. */
	expiresIn: (lifetime: number) => unknown = identity;

	/** @param tokenLifetime lifetime of an access token, in seconds */
	constructor(registration: Registration, tokenLifetime: number) {
		this.#model = new Model(registration);
		this.#publicApp = registration.publicApp;
		const [, ...others] = registration.privateApps.map(({ clientId }) => clientId);
		this.#otherPrivateApps = new Set(others);
		this.#initialLifetime = tokenLifetime;
		this.tokenLifetime = tokenLifetime;
		this.#server = new OAuth2Server({ model: this.#model, authorizationCodeLifetime: CODE_LIFETIME });
	}

	/** Revokes every access token; refresh tokens stay valid. */
	revokeAccessTokens(): void {
		this.#model.revokeAccessTokens();
	}

	/** Revokes every code, access token and refresh token of the public app. */
	revokeConsents(): void {
		this.#model.revokeConsents();
	}

	/** Restores the initial token lifetime, and `expires_in` in token responses. */
	resetLifetime(): void {
		this.tokenLifetime = this.#initialLifetime;
		this.expiresIn = identity;
	}

	/** Returns the client ID that an access token was issued to, even if it has expired or was revoked. */
	clientIdOf(accessToken: string): string | undefined {
		return this.#clientIds.get(accessToken);
	}

	/** Returns the user name of an access token: each private app after the first has its own. */
	usernameOf(accessToken: string): string {
		const clientId = this.clientIdOf(accessToken) ?? '';
		return this.#otherPrivateApps.has(clientId) ? `@${clientId}` : '@sandbox';
	}

	register(server: FastifyInstance): void {
		server.post('/oauth/token', async (request, reply) => await this.#grant(request, reply));
	}

	/** Issues an authorization code (RFC 6749, section 4.1.2). */
	async issueCode({ redirectUri, state, codeChallenge }: AuthorizationRequest): Promise<string> {
		const { authorizationCode } = await this.#server.authorize(
			new OAuth2Server.Request({
				headers: {},
				method: 'POST',
				query: {},
				body: {
					response_type: 'code',
					client_id: libraryClientIdOf(this.#publicApp),
					redirect_uri: redirectUri,
					state,
					...(codeChallenge && { code_challenge: codeChallenge, code_challenge_method: 'S256' }),
				},
			}),
			new OAuth2Server.Response(),
			// A new user object for each consent: see Model.
			{ authenticateHandler: { handle: () => ({}) } },
		);
		return authorizationCode;
	}

	/** Responds with 401 unless the Authorization header contains a valid token. */
	async authenticate({ headers }: FastifyRequest, reply: FastifyReply): Promise<unknown> {
		try {
			// The library responds with 400 to a header of another form.
			if (!/^Bearer [\w.~+/-]+=*$/.test(headers.authorization ?? '')) {
				throw new OAuth2Server.UnauthorizedRequestError('Send the access token as a bearer token.');
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
			return await sendOAuthError(reply.header('www-authenticate', 'Bearer'), error);
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
			return await sendOAuthError(reply.header('www-authenticate', 'Basic'), error);
		}
	}

	/**
	 * The form is already validated, so an "invalid request" of the library is a malformed code or a
	 * wrong redirect_uri: an invalid grant by RFC 6749, section 5.2.
	 */
	async #exchange(request: OAuth2Server.Request, accessTokenLifetime: number): Promise<OAuth2Server.Token> {
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

function identity(lifetime: number): number {
	return lifetime;
}

async function sendOAuthError(reply: FastifyReply, error: unknown): Promise<unknown> {
	if (!(error instanceof OAuth2Server.OAuthError)) throw error;
	return await reply.status(error.code).send({ status: false, error: error.name, error_description: error.message });
}
