import type OAuth2Server from '@node-oauth/oauth2-server';

import { fingerprintOf, grantsOf, type Registration } from './apps';

type Client = OAuth2Server.Client;
type Code = OAuth2Server.AuthorizationCode;
type RefreshToken = OAuth2Server.RefreshToken;
type Token = OAuth2Server.Token;
type User = OAuth2Server.User;

/** The one scope that the contract shows (section 2). */
export const SCOPE = 'basic';

/**
 * What the OAuth library asks of a service: which apps there are, and which codes and tokens were
 * given out.
 *
 * The library's "user" stands for one consent of the owner, so each consent has one of its own. All
 * that came of a consent, however often it was refreshed, carries the same one, and so can be made
 * invalid together.
 */
export class Model
	implements
		OAuth2Server.AuthorizationCodeModel,
		OAuth2Server.ClientCredentialsModel,
		OAuth2Server.RefreshTokenModel
{
	readonly #clients: ReadonlyMap<string, Client>;
	readonly #isRedirectUri: Registration['isRedirectUri'];
	readonly #codes = new Map<string, Code>();
	readonly #usedCodes = new Set<Code>();
	readonly #accessTokens = new Map<string, Token>();
	readonly #refreshTokens = new Map<string, RefreshToken>();
	readonly #withdrawn = new Set<User>();

	constructor({ privateApps, publicApp, isRedirectUri }: Registration) {
		this.#clients = new Map([
			...privateApps.map((app): [string, Client] => [
				fingerprintOf(app),
				{ id: app.clientId, grants: [...grantsOf.private] },
			]),
			[
				fingerprintOf(publicApp),
				{
					id: publicApp.clientId,
					grants: [...grantsOf.public],
					// The library wants to see one; validateRedirectUri is what decides.
					redirectUris: ['http://127.0.0.1/'],
				},
			],
		]);
		this.#isRedirectUri = isRedirectUri;
	}

	/** Makes every access token that was given out so far invalid, and no refresh token. */
	revokeAccessTokens(): void {
		this.#accessTokens.clear();
	}

	/** Makes every code, access token and refresh token invalid that came of a consent so far. */
	withdrawConsents(): void {
		for (const { user } of this.#codes.values()) this.#withdrawn.add(user);
	}

	/** @param id the fingerprint of the app; whoever can form it has shown the secret */
	getClient(id: string): Promise<Client | undefined> {
		return Promise.resolve(this.#clients.get(id));
	}

	getUserFromClient(): Promise<User> {
		return Promise.resolve({});
	}

	validateRedirectUri(uri: string): Promise<boolean> {
		return Promise.resolve(this.#isRedirectUri(uri));
	}

	/** A scope that is left out means the one there is (RFC 6749, section 3.3). */
	validateScope(_user: User, _client: Client, scope = [SCOPE]): Promise<string[] | false> {
		return Promise.resolve(scope.every((name) => name === SCOPE) && scope);
	}

	saveAuthorizationCode(
		code: Pick<Code, 'authorizationCode' | 'expiresAt' | 'redirectUri' | 'scope'>,
		client: Client,
		user: User,
	): Promise<Code> {
		const saved: Code = { ...code, client, user };
		this.#codes.set(saved.authorizationCode, saved);
		return Promise.resolve(saved);
	}

	/** A code that comes a second time may have been stolen (RFC 6749, section 4.1.2). */
	getAuthorizationCode(authorizationCode: string): Promise<Code | undefined> {
		const code = this.#codes.get(authorizationCode);
		if (code && this.#usedCodes.has(code)) this.#withdrawn.add(code.user);
		return Promise.resolve(this.#unlessWithdrawn(code));
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
		return Promise.resolve(this.#unlessWithdrawn(this.#accessTokens.get(accessToken)));
	}

	getRefreshToken(refreshToken: string): Promise<RefreshToken | undefined> {
		return Promise.resolve(this.#unlessWithdrawn(this.#refreshTokens.get(refreshToken)));
	}

	/** Takes a refresh token out of use: each works once (RFC 6749, section 10.4). */
	revokeToken({ refreshToken }: RefreshToken): Promise<boolean> {
		return Promise.resolve(this.#refreshTokens.delete(refreshToken));
	}

	#unlessWithdrawn<Given extends { user: User }>(given: Given | undefined): Given | undefined {
		return given && !this.#withdrawn.has(given.user) ? given : undefined;
	}
}
