import { createHash, randomBytes } from 'node:crypto';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import { OAuthError } from '../errors';
import type { AuthorizationRequest } from './authorization';
import { readTokenRequest, SCOPE, type TokenRequest } from './tokenRequest';

/** A registered app (docs/api.md, section 3); RFC 6749 calls it a client. */
export interface App {
	clientId: string;
	clientSecret: string;
}

/** The registered apps. */
interface Apps {
	/** The first one is the default. */
	privateApps: readonly App[];
	publicApp: App;
}

/** Lifetime of an authorization code, in milliseconds. */
const CODE_LIFETIME = 60_000;

/** What an app was granted: by itself, or by a consent of the owner, with all codes and tokens that result from it. */
interface Grant {
	readonly clientId: string;
	isRevoked?: boolean;
}

interface Code extends AuthorizationRequest {
	readonly grant: Grant;
	/** In milliseconds since 1970. */
	readonly end: number;
	isUsed?: boolean;
}

/**
 * The OAuth 2.0 server: the client_credentials grant for private apps (docs/api.md, section 3.2), the
 * authorization_code and refresh_token grants for the public app (section 3.3; RFC 6749, sections 4.1
 * and 6), and bearer authentication of API calls (section 3.1).
 */
export class OAuth {
	readonly #initialLifetime: number;
	readonly #codes = new Map<string, Code>();
	/** The end of a token is in milliseconds since 1970. */
	readonly #accessTokens = new Map<string, { grant: Grant; end: number }>();
	readonly #refreshTokens = new Map<string, Grant>();

	/** Lifetime of the access tokens issued from now on, in seconds. */
	tokenLifetime: number;

	/** Returns `expires_in` for a token response; undefined omits it. Tests may replace it. */
	expiresIn: (lifetime: number) => unknown = identity;

	/** @param tokenLifetime lifetime of an access token, in seconds */
	constructor(
		readonly apps: Apps,
		tokenLifetime: number,
	) {
		this.#initialLifetime = tokenLifetime;
		this.tokenLifetime = tokenLifetime;
	}

	register(server: FastifyInstance): void {
		server.post('/oauth/token', (request, reply) => {
			const grant = this.#grantOf(readTokenRequest(request));
			reply.header('cache-control', 'no-store');
			return this.#issueTokens(grant);
		});
	}

	/** Issues an authorization code (RFC 6749, section 4.1.2). */
	issueCode(request: AuthorizationRequest): string {
		const { clientId } = this.apps.publicApp;
		return add(this.#codes, { ...request, grant: { clientId }, end: Date.now() + CODE_LIFETIME });
	}

	/** Revokes every access token; refresh tokens stay valid. */
	revokeAccessTokens(): void {
		for (const token of this.#accessTokens.values()) token.end = 0;
	}

	/** Revokes every code, access token and refresh token of the public app. */
	revokeConsents(): void {
		for (const { grant } of this.#codes.values()) grant.isRevoked = true;
	}

	/** Restores the initial token lifetime, and `expires_in` in token responses. */
	resetLifetime(): void {
		this.tokenLifetime = this.#initialLifetime;
		this.expiresIn = identity;
	}

	/** Returns the client ID that an access token was issued to, even if it has expired or was revoked. */
	clientIdOf(accessToken: string): string | undefined {
		return this.#accessTokens.get(accessToken)?.grant.clientId;
	}

	/**
	 * Returns the user name for a call: each private app after the first has its own.
	 *
	 * @throws OAuthError unless the Authorization header contains a valid token
	 */
	authenticate({ headers }: FastifyRequest): string {
		const [, sent = ''] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? [];
		const token = this.#accessTokens.get(sent);
		if (!token || token.end <= Date.now() || token.grant.isRevoked) {
			throw new OAuthError('invalid_token', 'Invalid token: access token is invalid');
		}
		const { clientId } = token.grant;
		const isOther = this.apps.privateApps.slice(1).some((app) => app.clientId === clientId);
		return isOther ? `@${clientId}` : '@sandbox';
	}

	#issueTokens(grant: Grant): Record<string, unknown> {
		const token = { grant, end: Date.now() + this.tokenLifetime * 1000 };
		const isPublic = grant.clientId === this.apps.publicApp.clientId;
		return {
			access_token: add(this.#accessTokens, token),
			...(isPublic && { refresh_token: add(this.#refreshTokens, grant) }),
			expires_in: this.expiresIn(this.tokenLifetime),
			token_type: 'Bearer',
			scope: SCOPE,
		};
	}

	#grantOf({ app, form }: TokenRequest): Grant {
		const { privateApps, publicApp } = this.apps;
		const isApp = ({ clientId, clientSecret }: App) => app === `${clientId}:${clientSecret}`;
		const { clientId } = [publicApp, ...privateApps].find(isApp) ?? {};
		if (clientId === undefined) throw new OAuthError('invalid_client', 'Invalid client: client is invalid');
		const isOwn = form.grant_type === 'client_credentials';
		if (isOwn === isApp(publicApp)) throw new OAuthError('unauthorized_client', 'The app may not use this grant_type.');
		if (isOwn) return { clientId };
		return form.grant_type === 'refresh_token' ? this.#useRefreshToken(form) : this.#useCode(form);
	}

	/** A code that is used twice may be stolen: its tokens are revoked (RFC 6749, section 4.1.2). */
	#useCode({ code: sent = '', redirect_uri: uri, code_verifier: verifier = '' }: TokenRequest['form']): Grant {
		const code = this.#codes.get(sent);
		if (code?.isUsed) code.grant.isRevoked = true;
		const isValid =
			code &&
			!code.grant.isRevoked &&
			code.end > Date.now() &&
			code.redirectUri === uri &&
			(!code.codeChallenge || code.codeChallenge === createHash('sha256').update(verifier).digest('base64url'));
		if (!isValid) throw new OAuthError('invalid_grant', 'Invalid grant: authorization code is invalid');
		code.isUsed = true;
		return code.grant;
	}

	/** Each refresh token works once (RFC 6749, section 10.4). */
	#useRefreshToken({ refresh_token: sent = '' }: TokenRequest['form']): Grant {
		const grant = this.#refreshTokens.get(sent);
		this.#refreshTokens.delete(sent);
		if (grant && !grant.isRevoked) return grant;
		throw new OAuthError('invalid_grant', 'Invalid grant: refresh token is invalid');
	}
}

/** Stores what was issued under a new code or token, and returns that. */
function add<Issued>(all: Map<string, Issued>, issued: Issued): string {
	const key = randomBytes(32).toString('hex');
	all.set(key, issued);
	return key;
}

function identity(lifetime: number): number {
	return lifetime;
}
