import { type IDataObject, isExpression } from 'n8n-workflow';

import { serviceUrl } from '../service/baseUrl';
import { explainUnexpectedBody, TIMED_OUT } from '../service/explain';
import { done, type Ended, type Explanation, Failed, type Failure, invalid } from '../service/types';
import { pause, withTimeout } from '../service/waiting';
import { asObject, asText, isObject, parseJson } from '../shared/values';
import { type App, type CredentialData, digestOf, renewalTime, SENDABLE_TOKEN } from './app';
import { NOT_STORED, noToken, readErrorCode, tokenRejection } from './tokenEndpoint';
import { derive, explainConnection, type NodeContext } from './transport';

/** A property of n8n's `oauthTokenData`: the digests of the token and of the app it belongs to. */
const BINDING = 'profile_page_binding';

/** A public app acts for the account that signs in and grants access (docs/api.md, section 3.3). */
export const publicApp: App = {
	authentication: 'oAuth2',
	credentialType: 'profilePageOAuth2Api',
	// Not the client secret: replacing it ends no consent.
	bindingOf: ({ baseUrl, clientId }) => digestOf(serviceUrl(baseUrl, ''), clientId),
	readToken: (data) => {
		const { expires_in: expiresIn, n8n_expires_at: expiresAt } = bindTokens(data);
		const value = accessTokenOf(data);
		if (value === undefined) {
			const advice = 'Open the credential, press Connect, and grant access.';
			throw invalid('Credential', 'no account is connected', advice);
		}
		// n8n before 2.40 does not store when it expires.
		return { value, renewAt: renewalTime(Number(expiresAt), 1000 * Number(expiresIn)) };
	},
	// n8n renews the tokens (RFC 6749, section 6), and stores them bound to the app.
	renew: async (context, stored, rejected) => {
		const { data, itemIndex } = stored;
		const failure = await refresh(context, data);
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
async function refresh(context: NodeContext, data: CredentialData): Promise<Failure | undefined> {
	let tokens = data.oauthTokenData;
	// n8n puts renewed tokens here before it stores them.
	const bindingData = Object.defineProperty({ ...data }, 'oauthTokenData', {
		enumerable: true,
		get: () => tokens,
		set: (oauthTokenData: IDataObject) => {
			const bound = bindTokens({ ...data, oauthTokenData });
			if (accessTokenOf({ oauthTokenData }) === undefined) throw new Failed(noToken(NO_TOKEN));
			tokens = bound;
		},
	});
	const refreshContext = derive(context, { getCredentials: async () => await Promise.resolve(bindingData) });
	const ended = await withTimeout(TIME_LIMIT_MS, undefined, REFRESH_TIMED_OUT, async (): Promise<Ended<undefined>> => {
		try {
			await context.helpers.refreshOAuth2Token.call(refreshContext, publicApp.credentialType);
			return done(undefined);
		} catch (error) {
			if (error instanceof Failed) return error.failure;
			return tokens === data.oauthTokenData ? explainRefresh(error) : NOT_STORED;
		}
	});
	return ended.outcome === 'done' ? undefined : ended;
}

function accessTokenOf({ oauthTokenData }: CredentialData): string | undefined {
	const { access_token: token } = asObject(oauthTokenData);
	return typeof token === 'string' && SENDABLE_TOKEN.test(token) ? token : undefined;
}

/**
 * Returns n8n's `oauthTokenData`, bound to the Base URL and the client ID. n8n offers no way to do so when an account
 * is connected, so tokens are bound when they are first renewed. A binding names its token, because n8n keeps the
 * binding when the account is connected again.
 *
 * @throws Failed if the tokens are bound to another app, the Base URL cannot be used, or n8n would evaluate a value as an
 *   expression
 */
export function bindTokens(data: CredentialData): IDataObject {
	const tokens = asObject(data.oauthTokenData);
	if (Object.values(tokens).some(isExpression)) {
		throw new Failed(noToken(['the response contains an n8n expression', 'Check the Base URL.']));
	}
	const app = publicApp.bindingOf(data);
	const token = digestOf(tokens.access_token);
	const [boundToken, boundApp] = asText(tokens[BINDING]).split(' ');
	if (boundToken === token && boundApp !== app) {
		const problem = 'its Base URL or Client ID was changed after the account was connected';
		const advice = 'Open it and connect the account again (Switch account, or Connect).';
		throw invalid('Credential', problem, advice);
	}
	return { ...tokens, [BINDING]: `${token} ${app}` };
}

const CONNECT_AGAIN =
	'Open the credential, check the Client ID and the Client Secret, and connect the account again (Switch account, or Connect).';

const TRY_AGAIN = 'Try again later. If that does not help, open the credential and connect the account again.';

const NO_TOKEN: Explanation = ['the response contains none', CONNECT_AGAIN];

const NOT_RENEWED: Explanation = ['the service did not renew access to the account', CONNECT_AGAIN];

/** How n8n says that there is no refresh token, or that it was rejected (n8n 2.8 and older). */
const NEEDS_RECONNECTING = /\breconnect|^refreshToken is required/i;

/** n8n itself gives up after five minutes, for which every execution would wait. */
const TIME_LIMIT_MS = 60_000;

const REFRESH_TIMED_OUT: Failure = { ...TIMED_OUT, kind: 'token', outcome: 'not sent' };

/** How often the credential is read, half a second apart, after the refresh token was rejected. */
const READS_AFTER_REJECTION = 5;

/** Explains what n8n's OAuth client throws. It contains all of the response, or its status and body, or its body. */
function explainRefresh(error: unknown): Failure {
	const { response, body: content, message } = asObject(error);
	const { status, headers } = asObject(isObject(response) ? response : error);
	const body = typeof content === 'string' ? (parseJson(content) ?? content) : content;
	if (isObject(body) && typeof body.error === 'string') {
		const code = readErrorCode(body);
		if (code) return noToken(NOT_RENEWED, { code, said: code });
		// Without a standard code, it may have been a rate limit: n8n drops the status.
		return noToken([NOT_RENEWED[0], TRY_AGAIN], { passes: 'soon' });
	}
	if (typeof status === 'number' && status >= 300) {
		return tokenRejection({ statusCode: status, headers: asObject(headers), body }, NOT_RENEWED);
	}
	if (typeof status === 'number' || error instanceof SyntaxError) return noToken(explainUnexpectedBody(body));
	if (NEEDS_RECONNECTING.test(asText(message))) return noToken(NOT_RENEWED);
	return { ...explainConnection(error), kind: 'token', outcome: 'not sent' };
}
