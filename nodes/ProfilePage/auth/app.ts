import { createHash } from 'node:crypto';

import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
} from 'n8n-workflow';

import { type FailureDetails, ServiceError } from '../shared/errors';
import { asObject, asText, isObject } from '../shared/values';

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

/** The credential of a node at one moment, with its expressions resolved for an item. */
export interface Credential {
	readonly app: App;
	readonly data: CredentialData;
	readonly itemIndex: number;
	/** What identifies the credential and its app. A new client secret does not change it. */
	readonly identity: string;
	/** What its tokens are bound to. */
	readonly binding: string;
	/** The stored token, which may be due; undefined if there is none for this app. */
	readonly token?: Token;
	/** Whether the token was granted just now, not found in n8n's store, and the service has not accepted it yet. */
	hasNewToken?: boolean;
	/** What no message may repeat. */
	readonly secrets: readonly string[];
}

/** A kind of app: how its credential stores tokens, and how they are renewed. */
export interface App {
	/** The value of the node's field Authentication. */
	readonly authentication: string;
	readonly credentialType: string;
	/** Returns the digest that a token is bound to: of the service and the app. Throws ValidationError if the Base URL is invalid. */
	readonly bindingOf: (data: CredentialData) => string;
	/**
	 * Returns the stored token, due or not; undefined if there is none for this app, but the app can get one. Throws
	 * ValidationError if it cannot, or a field is invalid, and ServiceError if the stored tokens cannot be used.
	 */
	readonly readToken: (data: CredentialData) => Token | undefined;
	/**
	 * Makes n8n get and store another token than the one that was rejected last, and returns the fields of the
	 * credential with it. A private app need not know the rejected one: it always gets a new one. Throws ServiceError.
	 */
	readonly renew: (context: NodeContext, stored: Credential, rejected?: string) => Promise<CredentialData>;
}

export function digestOf(...parts: unknown[]): string {
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Returns when to renew a token: some time before it expires, so that it does not expire on its way. All in milliseconds. */
export function renewalTime(expiresAt: number, lifetime: number): number {
	const isKnown = lifetime > 0 && expiresAt > 0;
	return isKnown ? expiresAt - Math.min(30_000, lifetime / 10) : Infinity;
}

/** What fits into an Authorization header (RFC 6750), of which servers accept some 16 kB. n8n would evaluate one that begins with "=". */
export const SENDABLE_TOKEN = /^(?!=)[\x21-\x7E]{1,16000}$/;

/** Whether a token should be renewed before it is sent. */
export function isDue({ renewAt }: Token): boolean {
	return Date.now() >= renewAt;
}

/** Returns the context with some properties replaced. */
export function derive<T extends NodeContext>(context: T, properties: object): T {
	return Object.create(context, Object.getOwnPropertyDescriptors(properties)) as T;
}

/** What all requests have in common. */
export const REQUEST_OPTIONS = {
	// JSON that is not compressed: n8n's request helper waits forever for the rest of corrupt data.
	headers: { Accept: 'application/json', 'Accept-Encoding': 'identity' },
	returnFullResponse: true,
	// So that no error contains a response, and n8n does not itself renew the token and send the request again.
	ignoreHttpStatusErrors: true,
	// n8n would follow redirects, with the token of a public app or the client secret.
	disableFollowRedirect: true,
} as const;

/**
 * Makes n8n sign and send a request. Throws the ServiceError of a credential that could not get a token, or what n8n
 * throws.
 *
 * @param data the fields of the credential. If they contain no token, n8n first gets one, and adds it to them
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
	const { helpers } = context;
	try {
		const response: unknown = await helpers.httpRequestWithAuthentication.call(requestContext, credentialType, request);
		return response as IN8nHttpFullResponse;
	} catch (error) {
		// n8n wraps an error of the credential. What remains of it was written by the constructor of ExplainedError.
		const { explained } = asObject(asObject(error).context);
		if (!isObject(explained)) throw error as Error;
		const details = { ...(explained.details as FailureDetails), history: 'not sent', isSentence: true } as const;
		const failure = new ServiceError(asText(explained.message), asText(explained.advice), details);
		throw failure;
	}
}
