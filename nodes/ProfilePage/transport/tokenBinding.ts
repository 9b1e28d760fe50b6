import { createHash } from 'node:crypto';

import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { FieldError, NoTokenError } from '../errors';
import { isExpression } from '../fields/expression';
import { serviceUrl } from './baseUrl';
import { asText, isObject } from './envelope';

/** A token is renewed this long before it expires, in milliseconds, so that none expires on its way. */
const LONGEST_MARGIN = 30_000;

/** Tokens that live for a short time are renewed when this share of it is left. */
const MARGIN_SHARE = 0.1;

/** The property of n8n's `oauthTokenData` that says which app and service a token belongs to. */
const BINDING = 'profile_page_binding';

const SENDABLE_TOKEN = /^(?!=)[\x21-\x7E]+$/;

/**
 * Whether a value is a token that an Authorization header can carry: visible ASCII, which RFC 6750 stays
 * within. n8n would evaluate a stored one that begins with "=".
 */
export function isSendableToken(token: unknown): token is string {
	return typeof token === 'string' && SENDABLE_TOKEN.test(token);
}

/** What the credential of a private app stores: a token, and what it is good for. */
export interface GrantedToken {
	accessToken: string;
	/** Digest of the Base URL, client ID and client secret that the token was granted to. */
	accessTokenApp: string;
	/** When to renew it, in milliseconds since 1970; empty if the service did not say how long it lives. */
	accessTokenRenewAt: string;
}

/**
 * @param app the digest of the app, see {@link privateAppDigest}
 * @param requestedAt when the token was requested, in milliseconds since 1970
 * @param expiresIn `expires_in` of the token answer (the contract, section 2), in seconds
 */
export function bindToken(
	accessToken: string,
	app: string,
	requestedAt: number,
	expiresIn: unknown,
): GrantedToken {
	const renewAt = readRenewalTime(requestedAt, expiresIn);
	return {
		accessToken,
		accessTokenApp: app,
		accessTokenRenewAt: renewAt === undefined ? '' : String(renewAt),
	};
}

/**
 * @returns the digest of what a private app's token is granted to
 * @throws FieldError if the Base URL can't be used
 */
export function privateAppDigest(data: ICredentialDataDecryptedObject): string {
	return digest(serviceUrl(data.baseUrl, ''), data.clientId, data.clientSecret);
}

/**
 * The stored token of a private app. n8n keeps it when other fields of the credential are edited, so
 * one that was granted to another app counts as none.
 *
 * @returns the token, which may have expired; an empty text if there is none for this app
 * @throws FieldError if the Base URL can't be used
 */
export function readPrivateToken(data: ICredentialDataDecryptedObject): string {
	const { accessToken, accessTokenApp } = data;
	const isOfThisApp = accessTokenApp === privateAppDigest(data);
	return isSendableToken(accessToken) && isOfThisApp ? accessToken : '';
}

/** Whether the token should be renewed before it is used again. */
export function isPrivateTokenExpired({
	accessTokenRenewAt: renewAt,
}: ICredentialDataDecryptedObject): boolean {
	return typeof renewAt === 'string' && renewAt !== '' && Date.now() >= Number(renewAt);
}

/**
 * @returns the digest of what a public app's tokens are granted to. The client secret is not part of
 *   it: replacing it ends no consent.
 * @throws FieldError if the Base URL can't be used
 */
export function publicAppDigest(data: ICredentialDataDecryptedObject): string {
	return digest(serviceUrl(data.baseUrl, ''), data.clientId);
}

/**
 * Binds the tokens of a public app to its Base URL and client ID. n8n offers no way to do so when the
 * app is connected, so they are bound when they are first renewed.
 *
 * A binding names the access token it was made for: n8n keeps it when the app is connected again, and
 * it then says nothing about the new token.
 *
 * @returns n8n's `oauthTokenData` with the binding
 * @throws FieldError if the tokens are bound to another Base URL or client ID, or the Base URL can't
 *   be used
 * @throws NoTokenError if n8n would evaluate one of the values
 */
export function bindConnectedTokens(data: ICredentialDataDecryptedObject): IDataObject {
	const tokens = readPublicTokens(data);
	if (Object.values(tokens).some(isExpression)) {
		throw new NoTokenError(
			'No access token: the answer of the service contains an n8n expression, which is not evaluated. Check the Base URL.',
		);
	}
	const app = publicAppDigest(data);
	const token = digest(tokens.access_token);
	const [boundToken, boundApp] = asText(tokens[BINDING]).split(' ');
	if (boundToken === token && boundApp !== app) {
		throw new FieldError(
			'Credential',
			'its Base URL or Client ID was changed after it was connected. Open it and connect the account again (Switch account, or Connect).',
		);
	}
	return { ...tokens, [BINDING]: `${token} ${app}` };
}

/** Whether n8n knows that the access token is about to expire. Older versions of n8n do not keep the time. */
export function isPublicTokenExpired(data: ICredentialDataDecryptedObject): boolean {
	const { n8n_expires_at: expiresAt, expires_in: expiresIn } = readPublicTokens(data);
	const [expiry, lifetime] = [Number(expiresAt), Number(expiresIn) * 1000];
	return lifetime > 0 && expiry > 0 && Date.now() >= expiry - marginOf(lifetime);
}

/** The tokens of a public app, as n8n keeps the token answer (RFC 6749, section 5.1). */
export function readPublicTokens({ oauthTokenData }: ICredentialDataDecryptedObject): IDataObject {
	return isObject(oauthTokenData) ? oauthTokenData : {};
}

function readRenewalTime(requestedAt: number, expiresIn: unknown): number | undefined {
	const isReadable = typeof expiresIn === 'number' || typeof expiresIn === 'string';
	const lifetime = isReadable ? Number(expiresIn) * 1000 : 0;
	const renewAt = Math.floor(requestedAt + lifetime - marginOf(lifetime));
	return lifetime > 0 && Number.isSafeInteger(renewAt) ? renewAt : undefined;
}

function marginOf(lifetime: number): number {
	return Math.min(LONGEST_MARGIN, lifetime * MARGIN_SHARE);
}

function digest(...parts: unknown[]): string {
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
