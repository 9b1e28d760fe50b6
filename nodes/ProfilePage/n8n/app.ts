import { createHash } from 'node:crypto';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { withSaid } from '../service/quotes';
import type { ServiceResponse } from '../service/request';
import { asObject, asText, trimmed } from '../shared/values';
import type { NodeContext } from './context';

export type CredentialData = ICredentialDataDecryptedObject;

/** A kind of app: how its credential stores tokens, and how they are renewed. */
export interface App {
	/** The value of the node's field Authentication. */
	readonly authentication: string;
	readonly credentialType: string;
	/** Returns the stored token; undefined if there is none, but the app can get one. Throws Failure if a field is invalid. */
	readonly readToken: (data: CredentialData) => Token | undefined;
	/** Makes n8n get and store another token, and returns the fields of the credential with it. Throws Failure if it cannot. */
	readonly renew: (context: NodeContext, credential: Credential) => Promise<CredentialData>;
}

/** An access token, and the fields of the credential with which n8n signs requests with it. */
export interface Token {
	readonly value: string;
	readonly data: CredentialData;
	/** In milliseconds since 1970; Infinity if that is unknown. A token that was rejected has ended. */
	endsAt: number;
	/** Whether it was renewed, and no request has succeeded with it yet: if it is rejected, another renewal would not help. */
	isNew?: boolean;
}

export interface Credential {
	readonly app: App;
	readonly data: CredentialData;
	/** What identifies the credential, and its app at the service. A new client secret does not change it. */
	readonly id: string;
	readonly token?: Token;
	/** Without a slash at its end. */
	readonly baseUrl: string;
}

export function digestOf(...parts: unknown[]): string {
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Returns what identifies an app by HTTP Basic, in UTF-8 (RFC 7617, section 2.1). */
export function basicOf({ clientId, clientSecret }: CredentialData): string {
	return Buffer.from(`${trimmed(asText(clientId))}:${trimmed(asText(clientSecret))}`, 'utf8').toString('base64');
}

/** Returns what no message may repeat: the client secret, and the tokens that are stored, or in this response. */
function secretsOf(data: CredentialData, body: unknown): string[] {
	const tokens = [asObject(data.oauthTokenData), asObject(body)].flatMap((each) => [
		each.access_token,
		each.refresh_token,
	]);
	const secrets = [data.clientSecret, data.accessToken, ...tokens].map((secret) => trimmed(asText(secret)));
	return [...secrets, basicOf(data).replaceAll('=', '')].filter(Boolean);
}

/** Returns a response as it arrives from the service: with its words, unless they contain a secret. */
export function received(response: ServiceResponse, data: CredentialData): ServiceResponse {
	return withSaid(response, secretsOf(data, response.body));
}
