import type OAuth2Server from '@node-oauth/oauth2-server';

import { libraryClientIdOf, type Registration } from './apps';

type Client = OAuth2Server.Client;
type Code = OAuth2Server.AuthorizationCode;
type RefreshToken = OAuth2Server.RefreshToken;
type Token = OAuth2Server.Token;
type User = OAuth2Server.User;

/** The only documented scope (docs/api.md, section 3.4). */
export const SCOPE = 'basic';

/**
 * Stores apps, codes and tokens for the OAuth library.
 *
 * Each consent of the owner has its own "user" object. All codes and tokens that result from a
 * consent, including refreshed ones, share it, so they can be revoked together.
 */
export class Model
	implements OAuth2Server.AuthorizationCodeModel, OAuth2Server.ClientCredentialsModel, OAuth2Server.RefreshTokenModel
{
	readonly #clients: ReadonlyMap<string, Client>;
	readonly #isRedirectUri: Registration['isRedirectUri'];
	readonly #codes = new Map<string, Code>();
	readonly #usedCodes = new Set<Code>();
	readonly #accessTokens = new Map<string, Token>();
	readonly #refreshTokens = new Map<string, RefreshToken>();
	readonly #revokedConsents = new Set<User>();

	constructor({ privateApps, publicApp, isRedirectUri }: Registration) {
		this.#clients = new Map([
			...privateApps.map((app): [string, Client] => [
				libraryClientIdOf(app),
				{ id: app.clientId, grants: ['client_credentials'] },
			]),
			[
				libraryClientIdOf(publicApp),
				{
					id: publicApp.clientId,
					grants: ['authorization_code', 'refresh_token'],
					// The library requires at least one; validateRedirectUri decides.
					redirectUris: ['http://127.0.0.1/'],
				},
			],
		]);
		this.#isRedirectUri = isRedirectUri;
	}

	/** Revokes every access token, but no refresh token. */
	revokeAccessTokens(): void {
		this.#accessTokens.clear();
	}

	/** Revokes every code, access token and refresh token of the public app. */
	revokeConsents(): void {
		for (const { user } of this.#codes.values()) this.#revokedConsents.add(user);
	}

	/** @param id includes the secret, so that the lookup also authenticates the app */
	getClient(id: string): Promise<Client | undefined> {
		return Promise.resolve(this.#clients.get(id));
	}

	getUserFromClient(): Promise<User> {
		return Promise.resolve({});
	}

	validateRedirectUri(uri: string): Promise<boolean> {
		return Promise.resolve(this.#isRedirectUri(uri));
	}

	/** Without a scope, the default applies (RFC 6749, section 3.3). */
	validateScope(_user: User, _client: Client, scope = [SCOPE]): Promise<string[] | false> {
		return Promise.resolve(scope.every((name) => name === SCOPE) && scope);
	}

	saveAuthorizationCode(
		code: Pick<
			Code,
			'authorizationCode' | 'expiresAt' | 'redirectUri' | 'scope' | 'codeChallenge' | 'codeChallengeMethod'
		>,
		client: Client,
		user: User,
	): Promise<Code> {
		const saved: Code = { ...code, client, user };
		this.#codes.set(saved.authorizationCode, saved);
		return Promise.resolve(saved);
	}

	/** A code that is used twice may be stolen: its tokens are revoked (RFC 6749, section 4.1.2). */
	getAuthorizationCode(authorizationCode: string): Promise<Code | undefined> {
		const code = this.#codes.get(authorizationCode);
		if (code && this.#usedCodes.has(code)) this.#revokedConsents.add(code.user);
		return Promise.resolve(this.#unlessRevoked(code));
	}

	revokeAuthorizationCode(code: Code): Promise<boolean> {
		this.#usedCodes.add(code);
		return Promise.resolve(true);
	}

	saveToken(token: Token, client: Client, user: User): Promise<Token> {
		const saved = { ...token, client, user };
		this.#accessTokens.set(token.accessToken, saved);
		if (token.refreshToken) {
			this.#refreshTokens.set(token.refreshToken, { ...saved, refreshToken: token.refreshToken });
		}
		return Promise.resolve(saved);
	}

	getAccessToken(accessToken: string): Promise<Token | undefined> {
		return Promise.resolve(this.#unlessRevoked(this.#accessTokens.get(accessToken)));
	}

	getRefreshToken(refreshToken: string): Promise<RefreshToken | undefined> {
		return Promise.resolve(this.#unlessRevoked(this.#refreshTokens.get(refreshToken)));
	}

	/** Each refresh token works once (RFC 6749, section 10.4). */
	revokeToken({ refreshToken }: RefreshToken): Promise<boolean> {
		return Promise.resolve(this.#refreshTokens.delete(refreshToken));
	}

	#unlessRevoked<Issued extends { user: User }>(issued: Issued | undefined): Issued | undefined {
		return issued && !this.#revokedConsents.has(issued.user) ? issued : undefined;
	}
}
