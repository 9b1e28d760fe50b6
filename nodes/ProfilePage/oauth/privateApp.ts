import type { IHttpRequestHelper, IHttpRequestOptions } from 'n8n-workflow';

import { ValidationError } from '../shared/errors';
import { asText, parseUrl } from '../shared/values';
import { SingleFlight } from '../shared/waiting';
import { type App, type CredentialData, digestOf, renewalMargin } from './app';
import { serviceUrl } from './baseUrl';
import { isSendableToken, requestToken } from './tokenEndpoint';

/** The hidden fields of a private app's credential. */
export interface StoredToken {
	accessToken: string;
	/** The digest of the app it was granted to. */
	accessTokenApp: string;
	/** When to renew it, in milliseconds since 1970; empty if the service does not say when it expires. */
	accessTokenRenewAt: string;
}

/** A private app acts for the account it belongs to (docs/api.md, section 3.2). */
export const privateApp: App = {
	authentication: 'clientCredentials',
	credentialType: 'profilePageApi',
	digest: ({ baseUrl, clientId, clientSecret }) =>
		digestOf(serviceUrl(baseUrl, ''), clientId, clientSecret),
	// n8n keeps a token when other fields are edited: one of another app counts as none.
	readToken: (data) =>
		isSendableToken(data.accessToken) && data.accessTokenApp === privateApp.digest(data)
			? data.accessToken
			: '',
	isExpired: ({ accessTokenRenewAt: renewAt }) =>
		typeof renewAt === 'string' && renewAt !== '' && Date.now() >= Number(renewAt),
};

/** n8n asks for a token for each parallel request. */
const tokenRequests = new SingleFlight<StoredToken>();

/** Requests a token. Throws ValidationError if a field cannot be used, NoTokenError if there is no token. */
export async function grantToken(
	n8n: IHttpRequestHelper,
	data: CredentialData,
): Promise<StoredToken> {
	const client = {
		tokenUrl: serviceUrl(data.baseUrl, '/oauth/token'),
		clientId: readSecret(data.clientId, 'Client ID'),
		clientSecret: readSecret(data.clientSecret, 'Client Secret'),
	};
	const accessTokenApp = privateApp.digest(data);
	return await tokenRequests.run(accessTokenApp, async () => {
		const requestedAt = Date.now();
		const { accessToken, expiresIn } = await requestToken(n8n, client);
		const accessTokenRenewAt = renewalTime(requestedAt, expiresIn);
		return { accessToken, accessTokenApp, accessTokenRenewAt };
	});
}

/** Not trimmed: whitespace counts too. An expression may return a number. */
function readSecret(value: unknown, field: string): string {
	const text = asText(value);
	if (text !== '') return text;
	const advice = 'Enter it in the credential, or check the expression there.';
	throw new ValidationError(field, 'the value is empty', advice);
}

function renewalTime(requestedAt: number, expiresIn: unknown): string {
	const isReadable = typeof expiresIn === 'number' || typeof expiresIn === 'string';
	const lifetime = isReadable ? Number(expiresIn) * 1000 : 0;
	const renewAt = Math.floor(requestedAt + lifetime - renewalMargin(lifetime));
	return lifetime > 0 && Number.isSafeInteger(renewAt) ? String(renewAt) : '';
}

/** Looks to n8n like a response with the status 401: it gets a token and signs again. Nothing is sent. */
class NoUsableToken extends Error {
	readonly response = { status: 401 };
}

/**
 * Signs a request with the stored token as bearer (RFC 6750, section 2.1). It follows no redirects, as they would
 * pass on the token. Throws NoUsableToken if there is none for this app, or it has expired. Throws ValidationError if
 * the request goes to another host than that of the Base URL.
 */
export function signRequest(
	data: CredentialData,
	request: IHttpRequestOptions,
): IHttpRequestOptions {
	checkHost(data, request);
	const accessToken = privateApp.isExpired(data) ? '' : privateApp.readToken(data);
	if (!accessToken) throw new NoUsableToken('There is no access token for this app');
	return {
		...request,
		headers: { ...request.headers, Authorization: `Bearer ${accessToken}` },
		disableFollowRedirect: true,
		// The same for n8n's older request helper, which the HTTP Request node uses.
		...{ followRedirect: false, followAllRedirects: false },
	};
}

/** @param request n8n's older helper names its URL `uri` */
function checkHost(
	{ baseUrl }: CredentialData,
	{ url, baseURL, ...request }: IHttpRequestOptions & { uri?: unknown },
): void {
	const target = url || request.uri;
	const address = typeof target === 'string' ? parseUrl(target, baseURL) : undefined;
	if (address?.origin === parseUrl(serviceUrl(baseUrl, ''))?.origin) return;
	const problem = 'the request goes to a different host than the Base URL of the credential';
	const advice = 'The access token is for that service only.';
	throw new ValidationError('URL', problem, advice);
}
