import { createHash } from 'node:crypto';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

/** The fields of a credential, decrypted. */
export type CredentialData = ICredentialDataDecryptedObject;

/** A kind of app, and how its credential stores tokens. */
export interface App {
	/** The value of the node's field Authentication. */
	readonly authentication: string;
	readonly credentialType: string;
	/** Throws ValidationError if the credential is not ready for use, and NoTokenError if its tokens cannot be used. */
	readonly check?: (data: CredentialData) => void;
	/** Returns what tells apps apart. Throws ValidationError if the Base URL cannot be used. */
	readonly digest: (data: CredentialData) => string;
	/** Returns the stored token, expired or not; an empty text if there is none for this app. */
	readonly readToken: (data: CredentialData) => string;
	/** Whether the stored token should be renewed before it is used. */
	readonly isExpired: (data: CredentialData) => boolean;
}

export function digestOf(...parts: unknown[]): string {
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Returns how many milliseconds before its expiry a token is renewed, so that it does not expire on its way. */
export function renewalMargin(lifetime: number): number {
	return Math.min(30_000, lifetime / 10);
}
