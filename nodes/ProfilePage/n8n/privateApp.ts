import type { IHttpRequestHelper, IHttpRequestOptions } from 'n8n-workflow';

import { serviceUrl } from '../service/baseUrl';
import { explainUnexpectedBody } from '../service/explain';
import {
	done,
	type Ended,
	type Explanation,
	Failed,
	type Failure,
	invalid,
	type ServiceResponse,
} from '../service/types';
import { SingleFlight, withTimeout } from '../service/waiting';
import { asObject, asText, isObject, parseUrl } from '../shared/values';
import { type App, type CredentialData, digestOf, isDue, renewalTime, SENDABLE_TOKEN } from './app';
import { NOT_STORED, noTokenIn, TOKEN_TIMED_OUT, tokenRejection } from './tokenEndpoint';
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
		return { value: accessToken, renewAt: asText(renewAt) === '' ? Infinity : Number(renewAt) };
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
type Client = Record<'tokenUrl' | 'clientId' | 'clientSecret', string>;

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
		return sent.outcome === 'done' ? readGrant(sent.result, client, accessTokenApp, requestedAt) : sent;
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

async function sendGrant(n8n: IHttpRequestHelper, client: Client): Promise<Ended<ServiceResponse>> {
	// In UTF-8 (RFC 7617, section 2.1).
	const basic = Buffer.from(`${client.clientId}:${client.clientSecret}`, 'utf8').toString('base64');
	const authorization = { Authorization: `Basic ${basic}`, 'Content-Type': 'application/x-www-form-urlencoded' };
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

function readGrant(
	response: ServiceResponse,
	client: Client,
	accessTokenApp: string,
	requestedAt: number,
): Ended<TokenFields> {
	const { statusCode, body } = response;
	if (statusCode < 200 || statusCode > 299) return explainRejection(response, client);
	if (!isObject(body)) return noTokenIn(response, explainUnexpectedBody(body));
	const { access_token: accessToken, token_type: tokenType, expires_in: expiresIn } = body;
	if (typeof accessToken !== 'string' || !SENDABLE_TOKEN.test(accessToken)) {
		return noTokenIn(response, NONE_IN_RESPONSE);
	}
	// RFC 6749, section 7.1: a client must not use a token of a type that it does not know.
	if (!/^(bearer)?$/i.test(asText(tokenType).trim())) {
		return noTokenIn(response, ['the service sent a token of a type other than Bearer', 'Check the Base URL.']);
	}
	const lifetime = 1000 * Number(asText(expiresIn));
	const renewAt = Math.floor(renewalTime(requestedAt + lifetime, lifetime));
	const accessTokenRenewAt = Number.isSafeInteger(renewAt) ? String(renewAt) : '';
	return done({ accessToken, accessTokenApp, accessTokenRenewAt });
}

const NONE_IN_RESPONSE: Explanation = [
	'the response contains none',
	'Check the Base URL, and that the app may get tokens.',
];

/** Explains why the service rejects a private app. */
function explainRejection(response: ServiceResponse, { clientId, clientSecret }: Client): Failure {
	const { error } = asObject(response.body);
	const hints: Array<[isFound: boolean, hint: string]> = [
		// RFC 6749, section 5.2: the app may not use this grant.
		[error === 'unauthorized_client', 'If the app is a public app, use a Profile Page OAuth2 API credential.'],
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
	const [, hint = ''] = hints.find(([isFound]) => isFound) ?? [];
	const advice = `Check both, and the Base URL, in the credential. ${hint}`.trim();
	return tokenRejection(response, ['the service rejected the Client ID or the Client Secret', advice]);
}

/**
 * Signs a request with the stored token as bearer (RFC 6750, section 2.1). It follows no redirects, as they would
 * pass on the token. Throws Failed if the request goes to another host than that of the Base URL. Throws what
 * looks to n8n like a response with the status 401 if there is no token for this app, or it is due: n8n then gets one
 * and signs again.
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
		throw invalid('URL', problem, 'The access token is for that service only.');
	}
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
