import type { IDataObject } from 'n8n-workflow';

import { serviceUrl } from '../service/baseUrl';
import { explainUnexpectedBody } from '../service/explain';
import { done, type Ended, Failed, type Failure, invalid } from '../service/failure';
import type { Explanation } from '../service/request';
import { pause, withTimeout } from '../service/waiting';
import { asObject, asText, isObject, parseJson } from '../shared/values';
import { type App, type Credential, type CredentialData, digestOf, renewalTime } from './app';
import { derive, type NodeContext } from './context';
import {
	INVALID_CLIENT,
	NOT_STORED,
	noToken,
	type Rejections,
	TOKEN_TIMED_OUT,
	tokenRejection,
	tokenRejectionIn,
} from './tokenEndpoint';
import { readTokens } from './tokenResponse';
import { explainConnection } from './transport';

/** A property of n8n's `oauthTokenData`: the digests of the token and of the app it belongs to. */
const BINDING = 'profile_page_binding';

/** A public app acts for the account that signs in and grants access (docs/api.md, section 3.3). */
export const publicApp: App = {
	authentication: 'oAuth2',
	credentialType: 'profilePageOAuth2Api',
	// Not the client secret: replacing it ends no consent.
	bindingOf: ({ baseUrl, clientId }) => digestOf(serviceUrl(baseUrl, ''), clientId),
	readToken: (data) => {
		const oauthTokenData = bindTokens(data);
		const { access_token: value, expires_in: expiresIn, n8n_expires_at: expiresAt } = oauthTokenData;
		if (typeof value !== 'string') {
			const advice = 'Open the credential, press Connect, and grant access.';
			throw invalid('Credential', 'no account is connected', advice);
		}
		// n8n before 2.40 does not store when it expires.
		const renewAt = renewalTime(Number(expiresAt), 1000 * Number(expiresIn));
		return { value, renewAt, data: { ...data, oauthTokenData } };
	},
	// n8n renews the tokens (RFC 6749, section 6), and stores them bound to the app.
	renew: async (context, stored, rejected) => {
		const { data, itemIndex } = stored;
		const failure = await refresh(context, stored);
		// Another process may have used the refresh token at the same moment, and store the new tokens soon.
		const reads = failure?.code === 'invalid_grant' ? READS_AFTER_REJECTION : 1;
		for (let read = 1; read <= reads; read += 1) {
			if (read > 1) await pause(500);
			const renewed = await context.getCredentials(publicApp.credentialType, itemIndex);
			const isOther = accessTokenOf(renewed) !== (failure ? accessTokenOf(data) : rejected);
			if (isOther) return done(renewed);
		}
		// Without a failure, n8n accepted some JSON object as new tokens, and kept the old one.
		return failure ?? noToken(NO_TOKEN);
	},
};

/** Makes n8n renew the tokens and store them, bound to the app. Returns the failure if that is not possible. */
async function refresh(context: NodeContext, { data, secrets }: Credential): Promise<Failure | undefined> {
	const before = bindTokens(data);
	if (before.refresh_token === undefined) return noToken(NO_REFRESH_TOKEN);
	let tokens = before;
	// n8n puts renewed tokens here before it stores them.
	const bindingData = Object.defineProperty({ ...data }, 'oauthTokenData', {
		enumerable: true,
		get: () => tokens,
		set: (oauthTokenData: IDataObject) => {
			const received = bindTokens({ ...data, oauthTokenData });
			if (received.access_token === undefined) throw new Failed(noToken(NO_TOKEN));
			// A response need not repeat these (RFC 6749, section 6), but when the old token expires says nothing of the new one.
			const { refresh_token, scope = '' } = before;
			tokens = { refresh_token, ...(scope !== '' && { scope }), ...received };
		},
	});
	const refreshContext = derive(context, { getCredentials: async () => await Promise.resolve(bindingData) });
	const ended = await withTimeout(TIME_LIMIT_MS, undefined, TOKEN_TIMED_OUT, async (): Promise<Ended<undefined>> => {
		try {
			await context.helpers.refreshOAuth2Token.call(refreshContext, publicApp.credentialType);
			return done(undefined);
		} catch (error) {
			if (error instanceof Failed) return error.failure;
			return tokens === before ? explainRefresh(error, secrets) : NOT_STORED;
		}
	});
	return ended.outcome === 'done' ? undefined : ended;
}

function accessTokenOf(data: CredentialData): unknown {
	return asObject(data.oauthTokenData).access_token;
}

/**
 * Returns what is kept of n8n's `oauthTokenData`, bound to the Base URL and the client ID. n8n offers no way to do so
 * when an account is connected, so tokens are bound when they are first renewed. A binding names its token, because n8n
 * keeps the binding when the account is connected again.
 *
 * @throws Failed if the tokens are bound to another app, the Base URL cannot be used, n8n would evaluate a value as an
 *   expression, or the token is no bearer
 */
export function bindTokens(data: CredentialData): IDataObject {
	const stored = asObject(data.oauthTokenData);
	const tokens = readTokens(stored);
	const app = publicApp.bindingOf(data);
	const token = digestOf(tokens.access_token);
	const [boundToken, boundApp] = asText(stored[BINDING]).split(' ', 2);
	if (boundToken === token && boundApp !== app) {
		const problem = 'its Base URL or Client ID was changed after the account was connected';
		const advice = 'Open it and connect the account again (Switch account, or Connect).';
		throw invalid('Credential', problem, advice);
	}
	return { ...tokens, [BINDING]: `${token} ${app}` };
}

const CONNECT_AGAIN = 'Open the credential and connect the account again (Switch account, or Connect).';

const NO_TOKEN: Explanation = ['the response contains none', `Check the Base URL. If it is right: ${CONNECT_AGAIN}`];

const UNREADABLE: Explanation = ['n8n cannot read the token response of the service', 'Check the Base URL.'];

const NO_REFRESH_TOKEN: Explanation = [
	'it has expired or was rejected, and the service issued no refresh token',
	'Connect the account again. If the service issues refresh tokens only after consent, first enter prompt=consent (or access_type=offline) in Auth URI Query Parameters of the credential.',
];

/** What the service means when it does not renew the tokens. */
const REJECTIONS: Rejections = {
	invalid_client: [
		INVALID_CLIENT,
		'Open the credential, and check both. If they are right, try the other way in Authentication.',
	],
	invalid_request: ['the service does not know this kind of renewal', 'Check the Base URL in the credential.'],
	invalid_grant: ['access to the account was revoked or has ended', CONNECT_AGAIN],
	unauthorized_client: [
		'the app may not renew its access',
		'Check in the settings of the service that it is a public app, and connect the account again.',
	],
	unsupported_grant_type: ['the service does not renew access', 'Connect the account again whenever access has ended.'],
	invalid_scope: [
		'the service no longer grants the scope of the app',
		'Open the credential, check Scope, and connect the account again.',
	],
	other: [
		'the service did not renew access to the account',
		'Try again later. If that does not help, open the credential and connect the account again.',
	],
};

/** n8n itself gives up after five minutes, for which every execution would wait. */
const TIME_LIMIT_MS = 60_000;

/** How often the credential is read, half a second apart, after the refresh token was rejected. */
const READS_AFTER_REJECTION = 5;

/** Explains what n8n's OAuth client throws. It contains all of the response, or its status and body, or its body. */
function explainRefresh(error: unknown, secrets: readonly string[]): Failure {
	const { response, body: content, failure } = asObject(error);
	// n8n 2.40 replaces a response with this code by an error of its own, which keeps nothing else of it.
	if (asObject(failure).cause === 'credential-invalid') {
		return tokenRejectionIn({ error: 'invalid_grant' }, REJECTIONS, secrets);
	}
	const { status, headers } = asObject(isObject(response) ? response : error);
	const body = typeof content === 'string' ? (parseJson(content) ?? content) : content;
	const hasStatus = typeof status === 'number';
	if (hasStatus && status >= 300) {
		return tokenRejection({ statusCode: status, headers: asObject(headers), body }, REJECTIONS, secrets);
	}
	if (hasStatus || error instanceof SyntaxError) return noToken(explainUnexpectedBody(body));
	if (isObject(body)) return tokenRejectionIn(body, REJECTIONS, secrets);
	// Of a response that is null, or has a type that is no text.
	if (error instanceof TypeError && !('code' in error)) return noToken(UNREADABLE);
	return { ...explainConnection(error), kind: 'token', outcome: 'not sent' };
}
