import { createHash } from 'node:crypto';

import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
} from 'n8n-workflow';

/** The fields of a credential, decrypted. */
export type CredentialData = ICredentialDataDecryptedObject;

/** What n8n passes to a node that runs, to a list that the editor loads, or to a trigger. */
export type NodeContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** An access token that is stored in a credential. */
export interface Token {
	readonly value: string;
	/** In milliseconds since 1970; Infinity if it is unknown when the token expires. */
	readonly renewAt: number;
}

/** A kind of app: how its credential stores tokens, and how they are renewed. */
export interface App {
	/** The value of the node's field Authentication. */
	readonly authentication: string;
	readonly credentialType: string;
	/** Throws ValidationError if the credential is not ready for use, and ServiceError if its tokens cannot be used. */
	readonly check?: (data: CredentialData) => void;
	/** Returns the digest that a token is bound to: of the service and the app. Throws ValidationError if the Base URL is invalid. */
	readonly bindingOf: (data: CredentialData) => string;
	/** Returns the stored token, due or not; undefined if there is none for this app. */
	readonly readToken: (data: CredentialData) => Token | undefined;
	/** Makes n8n get and store another token, and returns the fields of the credential with it. Throws ServiceError. */
	readonly renew: (context: NodeContext, stored: StoredCredential) => Promise<CredentialData>;
}

/** A credential as n8n stores it. */
export interface StoredCredential {
	readonly data: CredentialData;
	/** The item that its expressions are resolved for. */
	readonly itemIndex: number;
	/** The token that the service rejected last. */
	readonly rejected?: string;
}

export function digestOf(...parts: unknown[]): string {
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Returns when to renew a token, both in milliseconds: some time before it expires, so that it does not expire on its way. */
export function renewalTime(expiresAt: number, lifetime: number): number {
	const isKnown = lifetime > 0 && expiresAt > 0;
	return isKnown ? expiresAt - Math.min(30_000, lifetime / 10) : Infinity;
}

/** Whether a token should be renewed before it is sent. */
export function isDue({ renewAt }: Token): boolean {
	return Date.now() >= renewAt;
}

/** Returns the context with some properties replaced. */
export function derive<T extends NodeContext>(context: T, properties: object): T {
	return Object.create(context, Object.getOwnPropertyDescriptors(properties)) as T;
}

/**
 * Makes n8n sign and send a request. It gets a token first if the credential signs with none.
 *
 * @param data the fields of the credential, to which n8n adds a token that it gets
 */
export async function requestByN8n(
	context: NodeContext,
	{ credentialType }: App,
	data: CredentialData,
	request: IHttpRequestOptions,
	signal: AbortSignal,
): Promise<IN8nHttpFullResponse> {
	// n8n's helper would read the credential for each request, and accepts no signal of ours.
	const requestContext = derive(context, {
		getCredentials: async () => await Promise.resolve(data),
		getExecutionCancelSignal: () => signal,
	});
	return (await context.helpers.httpRequestWithAuthentication.call(
		requestContext,
		credentialType,
		request,
	)) as IN8nHttpFullResponse;
}
