import { createHash } from 'node:crypto';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { Ended } from '../../service/failure';
import { asObject, asText } from '../../shared/values';
import { type NodeContext } from '../context';

/** The fields of a credential, decrypted. */
export type CredentialData = ICredentialDataDecryptedObject;

/** A kind of app: how its credential stores tokens, and how they are renewed. */
export interface App {
	/** The value of the node's field Authentication. */
	readonly authentication: string;
	readonly credentialType: string;
	/** Returns the digest that a token is bound to: of the service and the app. Throws Failed if the Base URL is invalid. */
	readonly bindingOf: (data: CredentialData) => string;
	/**
	 * Returns the stored token, which may be due; undefined if there is none, but the app can get one. Throws Failed if the
	 * app cannot get one, or a field is invalid.
	 */
	readonly readToken: (data: CredentialData) => Pick<StoredToken, 'value' | 'renewAt' | 'data'> | undefined;
	/**
	 * Makes n8n get and store another token than the one that was rejected last, and returns the fields of the
	 * credential with it. A private app always gets a new one, and does not look at the rejected one.
	 */
	readonly renew: (context: NodeContext, stored: Credential, rejected?: string) => Promise<Ended<CredentialData>>;
}

/** The credential of a node at one moment, with its expressions resolved for an item. */
export interface Credential {
	readonly app: App;
	readonly data: CredentialData;
	readonly itemIndex: number;
	/** What identifies the credential and its app. A new client secret does not change it. */
	readonly id: string;
	/** What its tokens are bound to. */
	readonly binding: string;
	/** The stored token, which may be due; undefined if there is none for this app. */
	readonly token?: StoredToken;
	/** What no message may repeat. */
	readonly secrets: readonly string[];
}

/** An access token. */
export interface StoredToken {
	readonly value: string;
	/** Whether the service has accepted it: a request with it got a response other than 401. This is assumed of a stored token. */
	isAccepted: boolean;
	/** In milliseconds since 1970; Infinity if it is unknown when the token expires. */
	readonly renewAt: number;
	/** The fields of the credential with which n8n signs requests with this token. */
	readonly data: CredentialData;
}

export function digestOf(...parts: unknown[]): string {
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Returns when to renew a token: some time before it expires, so that it does not expire on its way. All in milliseconds. */
export function renewalTime(expiresAt: number, lifetime: number): number {
	const isKnown = lifetime > 0 && expiresAt > 0;
	return isKnown ? expiresAt - Math.min(30_000, lifetime / 10) : Infinity;
}

/** Returns what identifies an app by HTTP Basic, in UTF-8 (RFC 7617, section 2.1). */
export function basicOf(clientId: string, clientSecret: string): string {
	return Buffer.from(`${clientId}:${clientSecret}`, 'utf8').toString('base64');
}

/** Fields of a token response that are no secrets. */
const PUBLIC_FIELDS = ['token_type', 'scope', 'expires_in', 'n8n_expires_at'];

/** Returns what no message may repeat: the client secret, and everything stored of token responses, whatever its shape. */
export function secretsOf(data: CredentialData): string[] {
	const { clientId, clientSecret, accessToken, oauthTokenData } = data;
	const received: Record<string, unknown> = { accessToken, ...asObject(oauthTokenData) };
	const secretNames = Object.keys(received).filter((name) => !PUBLIC_FIELDS.includes(name));
	const secret = asText(clientSecret);
	const tokens = textsIn(secretNames.map((name) => received[name]));
	return [secret, basicOf(asText(clientId), secret), ...tokens].filter(Boolean);
}

/** Returns all texts and numbers in a value, at any depth. */
function textsIn(value: unknown): string[] {
	const found: string[] = [];
	const left = [value];
	while (left.length > 0) {
		const next = left.pop();
		if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) left.push(inner);
		else found.push(asText(next));
	}
	return found;
}

/** Whether a token should be renewed before it is sent. */
export function isDue({ renewAt }: Pick<StoredToken, 'renewAt'>): boolean {
	return Date.now() >= renewAt;
}
