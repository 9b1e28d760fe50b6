import type { IHttpRequestHelper, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { ACCEPT_JSON, explainUnexpectedBody, unwrapCredentialError } from '../http/failures';
import { noToken, type Problem, type ServiceError, ValidationError } from '../shared/errors';
import { asText, isObject, parseUrl } from '../shared/values';
import { SingleFlight, TimedOut, withTimeout } from '../shared/waiting';
import {
	type App,
	type CredentialData,
	digestOf,
	isDue,
	type NodeContext,
	renewalTime,
	requestByN8n,
	type StoredCredential,
} from './app';
import { serviceUrl } from './baseUrl';
import {
	type ClientCredentials,
	explainRejection,
	noTokenBecause,
	quoteErrorCode,
	readTokenHints,
	tokenTimedOut,
} from './tokenFailures';

/** The hidden fields of a private app's credential. */
export interface TokenFields {
	accessToken: string;
	/** The digest of the app it was granted to. */
	accessTokenApp: string;
	/** When to renew it, in milliseconds since 1970; empty if the service does not say when it expires. */
	accessTokenRenewAt: string;
}

/** What fits into an Authorization header (RFC 6750), of which servers accept some 16 kB. n8n would evaluate a "=" at its start. */
const SENDABLE_TOKEN = /^(?!=)[\x21-\x7E]{1,16000}$/;

/** A private app acts for the account it belongs to (docs/api.md, section 3.2). */
export const privateApp: App = {
	authentication: 'clientCredentials',
	credentialType: 'profilePageApi',
	bindingOf: ({ baseUrl, clientId, clientSecret }) => digestOf(serviceUrl(baseUrl, ''), clientId, clientSecret),
	readToken: (data) => {
		const { accessToken, accessTokenApp, accessTokenRenewAt: renewAt } = data;
		// n8n keeps a token when other fields are edited: one of another app counts as none.
		const isSendable = typeof accessToken === 'string' && SENDABLE_TOKEN.test(accessToken);
		if (!isSendable || accessTokenApp !== privateApp.bindingOf(data)) return undefined;
		const isKnown = typeof renewAt === 'string' && renewAt !== '';
		return { value: accessToken, renewAt: isKnown ? Number(renewAt) : Infinity };
	},
	renew: grantByN8n,
};

/**
 * Makes n8n get and store a token. n8n does so only on the way to a request; this one is aborted before it is sent.
 * Throws ServiceError if there is no token.
 */
async function grantByN8n(context: NodeContext, stored: StoredCredential): Promise<CredentialData> {
	const data: CredentialData = { ...stored.data, accessToken: '' };
	const neverSent = { url: serviceUrl(data.baseUrl, '') };
	try {
		await requestByN8n(context, privateApp, data, neverSent, AbortSignal.abort());
	} catch (error) {
		const failure = data.accessToken ? undefined : unwrapCredentialError(error);
		if (failure) throw failure;
	}
	if (data.accessToken) return data;
	const problem = 'n8n could not get or store one';
	const advice = 'Try again. If that does not help, check the log of your n8n.';
	throw noToken({ problem, advice });
}

/** n8n asks for a token for each parallel request of its HTTP Request node. */
const grants = new SingleFlight<TokenFields>();

/** Requests a token. Throws ValidationError if a field cannot be used, ServiceError if there is no token. */
export async function grantToken(n8n: IHttpRequestHelper, data: CredentialData): Promise<TokenFields> {
	const client = {
		tokenUrl: serviceUrl(data.baseUrl, '/oauth/token'),
		clientId: readSecret(data.clientId, 'Client ID'),
		clientSecret: readSecret(data.clientSecret, 'Client Secret'),
	};
	const binding = privateApp.bindingOf(data);
	return await grants.run(binding, async () => await requestToken(n8n, client, binding));
}

/** Not trimmed: whitespace counts too. An expression may return a number. */
function readSecret(value: unknown, field: string): string {
	const text = asText(value);
	if (text !== '') return text;
	const advice = 'Enter it in the credential, or check the expression there.';
	throw new ValidationError(field, 'the value is empty', advice);
}

/**
 * Requests an access token with the client_credentials grant (docs/api.md, sections 3.2 and 3.4; RFC 6749, section 4.4).
 * Throws ServiceError, which contains neither the secret nor a token.
 */
async function requestToken(
	n8n: IHttpRequestHelper,
	client: ClientCredentials,
	accessTokenApp: string,
): Promise<TokenFields> {
	const requestedAt = Date.now();
	const { statusCode: status, headers, body } = await sendGrant(n8n, client);
	const fail = ({ problem, advice }: Problem): ServiceError =>
		noToken({ problem, advice: `${advice}${quoteErrorCode(body)}` }, readTokenHints(status, headers));
	if (status < 200 || status > 299) throw fail(explainRejection(status, body, client));
	if (!isObject(body)) throw fail(explainUnexpectedBody(body));
	const { access_token: accessToken, token_type: tokenType, expires_in: expiresIn } = body;
	if (typeof accessToken !== 'string' || !SENDABLE_TOKEN.test(accessToken)) {
		const advice = 'Check the Base URL, and that the app may get tokens.';
		throw fail({ problem: 'the response contains none', advice });
	}
	// RFC 6749, section 7.1: a client must not use a token of a type that it does not know.
	if (!/^\s*(bearer)?\s*$/i.test(asText(tokenType))) {
		const problem = 'the service sent a token of a type other than Bearer';
		throw fail({ problem, advice: 'Check the Base URL.' });
	}
	const lifetime = 1000 * Number(asText(expiresIn));
	const renewAt = Math.floor(renewalTime(requestedAt + lifetime, lifetime));
	const accessTokenRenewAt = Number.isSafeInteger(renewAt) ? String(renewAt) : '';
	return { accessToken, accessTokenApp, accessTokenRenewAt };
}

const TIME_LIMIT_MS = 15_000;

async function sendGrant(
	n8n: IHttpRequestHelper,
	{ tokenUrl, clientId, clientSecret }: ClientCredentials,
): Promise<IN8nHttpFullResponse> {
	// In UTF-8 (RFC 7617, section 2.1).
	const basic = Buffer.from(`${clientId}:${clientSecret}`, 'utf8').toString('base64');
	const request = {
		method: 'POST',
		url: tokenUrl,
		headers: {
			...ACCEPT_JSON,
			Authorization: `Basic ${basic}`,
			'Content-Type': 'application/x-www-form-urlencoded',
		},
		body: 'grant_type=client_credentials',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	} as const;
	// Not the option `timeout`, which starts anew with each byte received.
	const send = async (abortSignal: AbortSignal): Promise<unknown> =>
		await n8n.helpers.httpRequest({ ...request, abortSignal });
	try {
		return (await withTimeout(TIME_LIMIT_MS, undefined, send)) as IN8nHttpFullResponse;
	} catch (error) {
		throw error instanceof TimedOut ? tokenTimedOut() : noTokenBecause(error);
	}
}

/** Looks to n8n like a response with the status 401: it gets a token and signs again. Nothing is sent. */
class NoUsableToken extends Error {
	readonly response = { status: 401 };
}

/**
 * Signs a request with the stored token as bearer (RFC 6750, section 2.1). It follows no redirects, as they would
 * pass on the token. Throws NoUsableToken if there is none for this app, or it is due. Throws ValidationError if
 * the request goes to another host than that of the Base URL.
 */
export function signRequest(
	data: CredentialData,
	// n8n's older helper names its URL `uri`.
	request: IHttpRequestOptions & { uri?: unknown },
): IHttpRequestOptions {
	const target = request.url || request.uri;
	const address = typeof target === 'string' ? parseUrl(target, request.baseURL) : undefined;
	if (address?.origin !== new URL(serviceUrl(data.baseUrl, '')).origin) {
		const problem = 'the request goes to a different host than the Base URL of the credential';
		throw new ValidationError('URL', problem, 'The access token is for that service only.');
	}
	const token = privateApp.readToken(data);
	if (!token || isDue(token)) throw new NoUsableToken('There is no access token for this app');
	return {
		...request,
		headers: { ...request.headers, Authorization: `Bearer ${token.value}` },
		disableFollowRedirect: true,
		// The same for n8n's older request helper, which the HTTP Request node uses.
		...{ followRedirect: false, followAllRedirects: false },
	};
}
