import type { IHttpRequestHelper, IHttpRequestOptions } from 'n8n-workflow';

import { serviceUrl } from '../service/baseUrl';
import { explainUnexpectedBody } from '../service/explain';
import { done, type Ended, Failed, invalid } from '../service/failure';
import type { Explanation, ServiceResponse } from '../service/request';
import { SingleFlight, withTimeout } from '../service/waiting';
import { asText, hasContent, isObject, parseUrl } from '../shared/values';
import { type App, basicOf, type CredentialData, digestOf, isDue, renewalTime, secretsOf, SENDABLE_TOKEN } from './app';
import {
	FOREIGN_TYPE,
	INVALID_CLIENT,
	isBearer,
	NOT_STORED,
	noTokenIn,
	type Rejections,
	TOKEN_TIMED_OUT,
	tokenRejection,
} from './tokenEndpoint';
import { explainConnection, REQUEST_OPTIONS, requestByN8n } from './transport';

/**
 * The hidden fields of a private app's credential: a token, the digest of the app it was granted to, and when to renew
 * it, in milliseconds since 1970. That is empty if the service does not say when the token expires.
 */
export type TokenFields = Record<'accessToken' | 'accessTokenApp' | 'accessTokenRenewAt', string>;

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
		// The token is chosen now: without a time, the credential does not find it due.
		const signing = { ...data, accessTokenRenewAt: '' };
		return { value: accessToken, renewAt: asText(renewAt) === '' ? Infinity : Number(renewAt), data: signing };
	},
	renew: async (context, stored) => {
		const data: CredentialData = { ...stored.data, accessToken: '' };
		// n8n gets and stores tokens only on the way to a request. This one is aborted before it is sent.
		const neverSent = { url: serviceUrl(data.baseUrl, '') };
		const aborted = AbortSignal.abort();
		const ended = await requestByN8n(context, privateApp.credentialType, data, neverSent, aborted);
		if (data.accessToken) return done(data);
		return ended.outcome !== 'done' && ended.kind !== 'request' ? ended : NOT_STORED;
	},
};

/** n8n's HTTP Request node asks for a token for each of its parallel requests: they share one. */
const grants = new SingleFlight<Ended<TokenFields>>();

/** What a private app sends to the token endpoint. */
type AppIdentity = Record<'tokenUrl' | 'clientId' | 'clientSecret', string>;

/**
 * Requests an access token with the client_credentials grant (docs/api.md, sections 3.2 and 3.4; RFC 6749, section 4.4).
 * Throws Failed, without the secret or a token, if a field cannot be used or there is no token.
 */
export async function grantToken(n8n: IHttpRequestHelper, data: CredentialData): Promise<TokenFields> {
	const client = {
		tokenUrl: serviceUrl(data.baseUrl, '/oauth/token'),
		clientId: readSecret(data.clientId, 'Client ID'),
		clientSecret: readSecret(data.clientSecret, 'Client Secret'),
	};
	const accessTokenApp = privateApp.bindingOf(data);
	const granted = await grants.run(accessTokenApp, async () => {
		const requestedAt = Date.now();
		const sent = await sendGrant(n8n, client);
		if (sent.outcome !== 'done') return sent;
		const { statusCode } = sent.result;
		const isSuccess = statusCode >= 200 && statusCode <= 299;
		if (!isSuccess) return tokenRejection(sent.result, rejectionsOf(client), secretsOf(data));
		return readGrant(sent.result, accessTokenApp, requestedAt);
	});
	if (granted.outcome === 'done') return granted.result;
	throw new Failed(granted);
}

/** Not trimmed: whitespace counts too. An expression may return a number. */
function readSecret(value: unknown, field: string): string {
	const text = asText(value);
	if (text !== '') return text;
	throw invalid(field, 'the value is empty', 'Enter it in the credential, or check the expression there.');
}

const TIME_LIMIT_MS = 15_000;

async function sendGrant(n8n: IHttpRequestHelper, client: AppIdentity): Promise<Ended<ServiceResponse>> {
	const authorization = {
		Authorization: `Basic ${basicOf(client.clientId, client.clientSecret)}`,
		'Content-Type': 'application/x-www-form-urlencoded',
	};
	return await withTimeout(TIME_LIMIT_MS, undefined, TOKEN_TIMED_OUT, async (abortSignal) => {
		try {
			const response: unknown = await n8n.helpers.httpRequest({
				...REQUEST_OPTIONS,
				method: 'POST',
				url: client.tokenUrl,
				headers: { ...REQUEST_OPTIONS.headers, ...authorization },
				body: 'grant_type=client_credentials',
				// Not the option `timeout`, which starts anew with each byte received.
				abortSignal,
			});
			return done(response as ServiceResponse);
		} catch (error) {
			return { ...explainConnection(error), kind: 'token', outcome: 'not sent' };
		}
	});
}

function readGrant(response: ServiceResponse, accessTokenApp: string, requestedAt: number): Ended<TokenFields> {
	const { body } = response;
	if (!isObject(body)) return noTokenIn(response, explainUnexpectedBody(body));
	const { access_token: accessToken, token_type: tokenType, expires_in: expiresIn } = body;
	if (typeof accessToken !== 'string' || !SENDABLE_TOKEN.test(accessToken)) {
		return noTokenIn(response, NONE_IN_RESPONSE);
	}
	if (!isBearer(tokenType)) return noTokenIn(response, FOREIGN_TYPE);
	const lifetime = 1000 * Number(asText(expiresIn));
	const renewAt = Math.floor(renewalTime(requestedAt + lifetime, lifetime));
	const accessTokenRenewAt = Number.isSafeInteger(renewAt) ? String(renewAt) : '';
	return done({ accessToken, accessTokenApp, accessTokenRenewAt });
}

const NONE_IN_RESPONSE: Explanation = [
	'the response contains none',
	'Check the Base URL, and that the app may get tokens.',
];

const USE_PUBLIC_APP = 'use a Profile Page OAuth2 API credential.';

/** What the service means when it rejects a private app. */
function rejectionsOf(client: AppIdentity): Rejections {
	return {
		invalid_client: [INVALID_CLIENT, `Check both, and the Base URL, in the credential. ${hintOn(client)}`.trim()],
		invalid_request: [
			'the service does not know this kind of token request',
			'Check the Base URL in the credential, and that the app is a private app.',
		],
		invalid_grant: [
			'the service no longer gives the app access',
			'Check that the app still has access to the account.',
		],
		unauthorized_client: ['the app may not get tokens by itself', `If it is a public app, ${USE_PUBLIC_APP}`],
		unsupported_grant_type: [
			'the service gives no tokens to private apps',
			`Create a public app at the service, and ${USE_PUBLIC_APP}`,
		],
		invalid_scope: [
			'the service gives the app no token without another scope',
			'Check the permissions of the app in the settings of the service.',
		],
		other: [
			'the service did not give the app a token',
			'Check the Base URL in the credential, and the app in the settings of the service.',
		],
	};
}

/** Returns what is unusual about the client ID or the client secret; an empty text if there is nothing. */
function hintOn({ clientId, clientSecret }: AppIdentity): string {
	const hints: Array<[isFound: boolean, hint: string]> = [
		[clientId !== clientId.trim(), 'The Client ID starts or ends with whitespace.'],
		[clientSecret !== clientSecret.trim(), 'The Client Secret starts or ends with whitespace.'],
		// RFC 7617, section 2: a service that splits at the first colon reads another ID.
		[clientId.includes(':'), 'The Client ID contains a colon, which HTTP Basic does not allow.'],
		// RFC 6749, section 2.3.1: a service may decode both, as if they came in a form.
		[
			/[%+]/.test(clientId + clientSecret),
			'One of them contains "%" or "+", which some services decode. If so, enter them percent-encoded ("%25", "%2B").',
		],
	];
	return hints.find(([isFound]) => isFound)?.[1] ?? '';
}

/** A request of n8n's newer helper, or of its older one, which names some options differently. */
type SignableRequest = IHttpRequestOptions & { uri?: unknown; rejectUnauthorized?: unknown; agentOptions?: unknown };

/**
 * Signs a request with the stored token as bearer (RFC 6750, section 2.1). It follows no redirects, as they would
 * pass on the token. Throws Failed if the token could reach somebody else than the service at the Base URL. Throws what
 * looks to n8n like a response with the status 401 if there is no token for this app, or it is due: n8n then gets one
 * and signs again.
 */
export function signRequest(data: CredentialData, request: SignableRequest): IHttpRequestOptions {
	const target = request.url || request.uri;
	const address = typeof target === 'string' ? parseUrl(target, request.baseURL) : undefined;
	if (address?.origin !== new URL(serviceUrl(data.baseUrl, '')).origin) {
		const problem = 'the request goes to a different host than the Base URL of the credential';
		throw invalid('URL', problem, 'The access token is for that service only.');
	}
	refuseDiversion(request, address.host);
	const token = privateApp.readToken(data);
	if (!token || isDue(token)) {
		throw Object.assign(new Error('There is no access token for this app'), { response: { status: 401 } });
	}
	return {
		...request,
		headers: { ...request.headers, Authorization: `Bearer ${token.value}` },
		disableFollowRedirect: true,
		// The same for n8n's older request helper, which the HTTP Request node uses.
		...{ followRedirect: false, followAllRedirects: false },
	};
}

/** A response to others, such as TRACE, may contain the request with its token (RFC 9110, section 9.3.8). */
const METHODS: readonly string[] = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

/** Throws Failed if somebody who may use the credential, but not see it, could read the token on its way. */
function refuseDiversion(request: SignableRequest, host: string): void {
	const { method = 'GET', proxy, skipSslCertificateValidation, rejectUnauthorized, agentOptions, headers } = request;
	if (!METHODS.includes(asText(method).toUpperCase())) {
		const problem = 'the access token is not sent with this method, as the response could contain it';
		throw invalid('Method', problem, `Choose one of ${METHODS.join(', ')}.`);
	}
	if (proxy) {
		const advice = "Remove it: requests with this credential use the proxy of your n8n's environment (HTTPS_PROXY).";
		throw invalid('Proxy', 'the access token is not sent through a proxy of the request', advice);
	}
	const trust = 'To trust a certificate, set NODE_EXTRA_CA_CERTS in the environment of your n8n.';
	if (skipSslCertificateValidation || rejectUnauthorized === false) {
		throw invalid('Ignore SSL Issues', 'the access token is not sent to a host that is not verified', trust);
	}
	if (hasContent(agentOptions)) {
		throw invalid('SSL Certificates', 'the access token is not sent with certificates of the request', trust);
	}
	const isOtherHost = ([name, value]: [string, unknown]) =>
		name.trim().toLowerCase() === 'host' && asText(value).trim().toLowerCase() !== host;
	if (Object.entries(headers ?? {}).some(isOtherHost)) {
		throw invalid('Headers', 'the header Host names another host than the Base URL of the credential', 'Remove it.');
	}
}
