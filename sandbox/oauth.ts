import OAuth2Server from '@node-oauth/oauth2-server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The private app that may get tokens. */
export interface App {
	clientId: string;
	clientSecret: string;
}

export interface OAuthOptions extends App {
	/** Lifetime of an access token, in seconds. */
	tokenLifetime: number;
}

/**
 * The OAuth 2.0 part of the service: tokens for a private app by the client_credentials grant (the
 * contract, section 4.2), and the check of the bearer token on calls (section 5.1).
 */
export class OAuth {
	readonly #tokens = new Map<string, OAuth2Server.Token>();
	readonly #server: OAuth2Server;
	readonly #app: OAuth2Server.Client;
	readonly #fingerprint: string;
	readonly #tokenLifetime: number;

	constructor({ clientId, clientSecret, tokenLifetime }: OAuthOptions) {
		this.#app = { id: clientId, grants: ['client_credentials'] };
		this.#fingerprint = fingerprint(`${clientId}:${clientSecret}`);
		this.#tokenLifetime = tokenLifetime;
		this.#server = new OAuth2Server({
			model: this.#model(),
			accessTokenLifetime: tokenLifetime,
		});
	}

	/** Makes every token that was given out so far invalid. */
	revokeAll(): void {
		this.#tokens.clear();
	}

	/** Adds the token endpoint. */
	register(server: FastifyInstance): void {
		server.post('/oauth/token', async (request, reply) => await this.#grant(request, reply));
	}

	/** Answers with 401 unless the request carries a valid token in its Authorization header. */
	async authenticate(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
		try {
			if (!request.headers.authorization) {
				throw new OAuth2Server.UnauthorizedRequestError('Send the access token as Bearer.');
			}
			return await this.#server.authenticate(
				new OAuth2Server.Request({ headers: headersOf(request), method: 'GET', query: {} }),
				new OAuth2Server.Response(),
			);
		} catch (error) {
			return await refuse(reply.header('www-authenticate', 'Bearer'), error);
		}
	}

	async #grant(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
		try {
			const token = await this.#server.token(
				new OAuth2Server.Request({
					headers: { ...headersOf(request), authorization: toAsciiBasic(request) },
					method: 'POST',
					query: {},
					body: readGrantForm(request.body),
				}),
				new OAuth2Server.Response(),
			);
			return await reply.header('cache-control', 'no-store').send({
				access_token: token.accessToken,
				expires_in: this.#tokenLifetime,
				token_type: 'Bearer',
				scope: 'basic',
			});
		} catch (error) {
			return await refuse(reply.header('www-authenticate', 'Basic'), error);
		}
	}

	#model(): OAuth2Server.ClientCredentialsModel {
		return {
			getClient: (_id, presented) => Promise.resolve(presented === this.#fingerprint && this.#app),
			getUserFromClient: () => Promise.resolve({}),
			saveToken: (token, client, user) => {
				const saved = { ...token, client, user };
				this.#tokens.set(token.accessToken, saved);
				return Promise.resolve(saved);
			},
			getAccessToken: (accessToken) => Promise.resolve(this.#tokens.get(accessToken)),
		};
	}
}

function headersOf(request: FastifyRequest): Record<string, string> {
	return request.headers as Record<string, string>;
}

/**
 * The library takes IDs and secrets of visible ASCII only; the contract sets no such limit. So the
 * whole pair goes through it as a fingerprint, which also keeps a colon in the ID.
 */
function toAsciiBasic(request: FastifyRequest): string {
	const [, encoded] = /^Basic (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
	if (!encoded) {
		throw new OAuth2Server.InvalidClientError('Send client ID and secret by HTTP Basic.', {
			code: 401,
		});
	}
	const pair = Buffer.from(encoded, 'base64').toString('utf8');
	return `Basic ${Buffer.from(`app:${fingerprint(pair)}`).toString('base64')}`;
}

function fingerprint(pair: string): string {
	return Buffer.from(pair, 'utf8').toString('hex');
}

/** The form has the one field `grant_type` and nothing else (the contract, section 4.2). */
function readGrantForm(body: unknown): Record<string, unknown> {
	const form = (typeof body === 'object' ? body : null) as Record<string, unknown> | null;
	const names = Object.keys(form ?? {});
	if (!form || names.length !== 1 || names[0] !== 'grant_type') {
		throw new OAuth2Server.InvalidRequestError('Send a form with the one field grant_type.');
	}
	return form;
}

async function refuse(reply: FastifyReply, error: unknown): Promise<unknown> {
	if (!(error instanceof OAuth2Server.OAuthError)) throw error;
	return await reply
		.status(error.code)
		.send({ status: false, error: error.name, error_description: error.message });
}
