import type { IDataObject, IHttpRequestHelper } from 'n8n-workflow';

import { serviceUrl } from '../../service/baseUrl';
import { Cached } from '../../service/cached';
import { done, type Ended, Failed, invalid, mapDone, resultOf, settle } from '../../service/failure';
import { Secrets } from '../../service/quotes';
import type { ServiceResponse } from '../../service/request';
import {
	findErrorCode,
	INVALID_CLIENT,
	NOT_STORED,
	readTokens,
	type Rejections,
	SENDABLE_TOKEN,
	TOKEN_TIMED_OUT,
	tokenFailure,
	tokenRejection,
} from '../../service/tokenEndpoint';
import { withTimeout } from '../../service/waiting';
import { asText, joined } from '../../shared/values';
import { connectionFailureOf, REQUEST_OPTIONS, requestByN8n } from '../transport';
import { type App, basicOf, type CredentialData, digestOf, renewalTime, secretsOf } from './app';

/**
 * The hidden fields of a private app's credential: a token, its binding, and when to renew it, in milliseconds since
 * 1970. The time is empty if the service does not say when the token expires.
 */
export type TokenFields = Record<'accessToken' | 'accessTokenBinding' | 'accessTokenRenewAt', string>;

/** A private app acts for the account it belongs to (docs/api.md, section 3.2). */
export const privateApp: App = {
	authentication: 'clientCredentials',
	credentialType: 'profilePageApi',
	bindingOf: ({ baseUrl, clientId, clientSecret }) => digestOf(serviceUrl(baseUrl, ''), clientId, clientSecret),
	readToken: (data) => {
		readSecret(data.clientId, 'Client ID');
		readSecret(data.clientSecret, 'Client Secret');
		const { accessToken, accessTokenBinding, accessTokenRenewAt: renewAt } = data;
		// n8n keeps a token when other fields are edited: one of another app counts as none.
		const isSendable = typeof accessToken === 'string' && SENDABLE_TOKEN.test(accessToken);
		if (!isSendable || accessTokenBinding !== privateApp.bindingOf(data)) return undefined;
		// Without a time, so that `signRequest` does not reject a token as due after the account has decided to send it.
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
		// That the request was aborted says nothing. Any other failure says why there is no token.
		return ended.outcome === 'done' || ended.kind === 'request' ? NOT_STORED : ended;
	},
};

/** What a private app sends to the token endpoint, and where that is. */
type GrantRequest = Record<'tokenUrl' | 'clientId' | 'clientSecret', string>;

/** n8n's HTTP Request node asks for a token for each of its parallel requests: they share one. */
const grants = new Cached<Ended<TokenFields>>();

/**
 * Requests an access token with the client_credentials grant (docs/api.md, sections 3.2 and 3.4; RFC 6749, section 4.4).
 * Throws Failed, without the secret or a token, if a field cannot be used or there is no token.
 */
export async function grantToken(n8n: IHttpRequestHelper, data: CredentialData): Promise<TokenFields> {
	const request = {
		tokenUrl: serviceUrl(data.baseUrl, '/oauth/token'),
		clientId: readSecret(data.clientId, 'Client ID'),
		clientSecret: readSecret(data.clientSecret, 'Client Secret'),
	};
	const accessTokenBinding = privateApp.bindingOf(data);
	const grant = async () => {
		const requestedAt = Date.now();
		const sent = await sendGrant(n8n, request);
		const tokens = sent.outcome === 'done' ? settleGrant(sent.result, request, new Secrets(secretsOf(data))) : sent;
		return mapDone(tokens, ({ access_token: token, expires_in: expiresIn }) => {
			return { accessToken: asText(token), accessTokenBinding, accessTokenRenewAt: renewAtOf(expiresIn, requestedAt) };
		});
	};
	return resultOf(await grants.get(grant, accessTokenBinding));
}

/** Not trimmed: whitespace counts too. An expression may return a number. */
function readSecret(value: unknown, field: string): string {
	const text = asText(value);
	if (text !== '') return text;
	throw invalid(field, 'the value is empty', 'Enter it in the credential, or check the expression there.');
}

const GRANT_TIME_LIMIT_MS = 15_000;

async function sendGrant(n8n: IHttpRequestHelper, request: GrantRequest): Promise<Ended<ServiceResponse>> {
	const authorization = {
		Authorization: `Basic ${basicOf(request.clientId, request.clientSecret)}`,
		'Content-Type': 'application/x-www-form-urlencoded',
	};
	return await withTimeout(GRANT_TIME_LIMIT_MS, undefined, TOKEN_TIMED_OUT, async (abortSignal) => {
		try {
			const response: unknown = await n8n.helpers.httpRequest({
				...REQUEST_OPTIONS,
				method: 'POST',
				url: request.tokenUrl,
				headers: { ...REQUEST_OPTIONS.headers, ...authorization },
				body: 'grant_type=client_credentials',
				// Not the option `timeout`, which starts anew with each byte received.
				abortSignal,
			});
			return done(response as ServiceResponse);
		} catch (error) {
			return { ...connectionFailureOf(error), kind: 'token', outcome: 'not applied' };
		}
	});
}

/** Returns what is kept of a token response, with an access token. */
function settleGrant(response: ServiceResponse, request: GrantRequest, secrets: Secrets): Ended<IDataObject> {
	const { statusCode, body } = response;
	const isSuccess = statusCode >= 200 && statusCode <= 299;
	if (!isSuccess) return tokenRejection(response, rejectionsOf(request), secrets);
	const tokens = settle(() => {
		const read = readTokens(body);
		if (read.access_token === undefined) throw new Failed(NO_TOKEN);
		return read;
	});
	return tokens.outcome === 'done' ? tokens : { ...tokens, status: statusCode, said: findErrorCode(body) };
}

/** Returns when to renew a token, as the credential stores it. */
function renewAtOf(expiresIn: unknown, requestedAt: number): string {
	const lifetime = 1000 * Number(asText(expiresIn));
	const renewAt = Math.floor(renewalTime(requestedAt + lifetime, lifetime));
	return Number.isSafeInteger(renewAt) ? String(renewAt) : '';
}

const NO_TOKEN = tokenFailure('the response contains none', 'Check the Base URL, and that the app may get tokens.');

const USE_PUBLIC_APP = 'use a Profile Page OAuth2 API credential.';

/** What the service means when it rejects a private app. */
const REJECTIONS: Rejections = {
	invalid_client: [INVALID_CLIENT, 'Check both, and the Base URL, in the credential.'],
	invalid_request: [
		'the service does not know this kind of token request',
		'Check the Base URL in the credential, and that the app is a private app.',
	],
	invalid_grant: ['the service no longer gives the app access', 'Check that the app still has access to the account.'],
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

function rejectionsOf(request: GrantRequest): Rejections {
	const [problem, advice] = REJECTIONS.invalid_client;
	return { ...REJECTIONS, invalid_client: [problem, joined(' ', advice, hintOn(request))] };
}

/** Returns what is unusual about the client ID or the client secret; an empty text if there is nothing. */
function hintOn({ clientId, clientSecret }: GrantRequest): string {
	if (clientId !== clientId.trim()) return 'The Client ID starts or ends with whitespace.';
	if (clientSecret !== clientSecret.trim()) return 'The Client Secret starts or ends with whitespace.';
	// RFC 7617, section 2: a service that splits at the first colon reads another ID.
	if (clientId.includes(':')) return 'The Client ID contains a colon, which HTTP Basic does not allow.';
	// RFC 6749, section 2.3.1: a service may decode both, as if they came in a form.
	if (!/[%+]/.test(clientId + clientSecret)) return '';
	return 'One of them contains "%" or "+", which some services decode. If so, enter them percent-encoded ("%25", "%2B").';
}
