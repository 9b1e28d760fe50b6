import type { IDataObject } from 'n8n-workflow';

import { done, type Ended, Failed, type Failure, invalid } from '../../service/failure';
import { Secrets } from '../../service/quotes';
import type { ServiceResponse } from '../../service/request';
import { unexpectedBody } from '../../service/response';
import {
	INVALID_CLIENT,
	NOT_STORED,
	type Rejections,
	TOKEN_TIMED_OUT,
	tokenFailure,
	tokenRejection,
} from '../../service/tokenEndpoint';
import { pause, withTimeout } from '../../service/waiting';
import { asObject, isObject, parseJson } from '../../shared/values';
import { derive, type NodeContext } from '../context';
import { connectionFailureOf } from '../transport';
import { type App, type Credential, type CredentialData, renewalTime } from './app';
import { bindingOf, bindTokens } from './binding';

/** How often the credential is read, half a second apart, after the refresh token was rejected. */
const READS_AFTER_REJECTION = 5;

/** A public app acts for the account that signs in and grants access (docs/api.md, section 3.3). */
export const publicApp: App = {
	authentication: 'oAuth2',
	credentialType: 'profilePageOAuth2Api',
	bindingOf,
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
		const failure = await refreshTokens(context, stored);
		// Another process may have used the refresh token at the same moment, and store the new tokens soon.
		const reads = failure?.code === 'invalid_grant' ? READS_AFTER_REJECTION : 1;
		for (let read = 1; read <= reads; read += 1) {
			if (read > 1) await pause(500);
			const renewed = await context.getCredentials(publicApp.credentialType, stored.itemIndex);
			const isOther = accessTokenOf(renewed) !== (failure ? accessTokenOf(stored.data) : rejected);
			if (isOther) return done(renewed);
		}
		// Without a failure, n8n accepted some JSON object as new tokens, and kept the old one.
		return failure ?? NO_TOKEN;
	},
};

function accessTokenOf(data: CredentialData): unknown {
	return asObject(data.oauthTokenData).access_token;
}

/** n8n itself gives up after five minutes, for which every execution would wait. */
const RENEWAL_TIME_LIMIT_MS = 60_000;

/** Makes n8n renew the tokens and store them, bound to the app. Returns the failure if that is not possible. */
async function refreshTokens(context: NodeContext, { app, data, secrets }: Credential): Promise<Failure | undefined> {
	const before = bindTokens(data);
	if (before.refresh_token === undefined) return NO_REFRESH_TOKEN;
	const fields = refreshable(data, before);
	const refreshContext = derive(context, { getCredentials: async () => await Promise.resolve(fields) });
	const ended = await withTimeout(
		RENEWAL_TIME_LIMIT_MS,
		undefined,
		TOKEN_TIMED_OUT,
		async (): Promise<Ended<undefined>> => {
			try {
				await context.helpers.refreshOAuth2Token.call(refreshContext, app.credentialType);
				return done(undefined);
			} catch (error) {
				if (error instanceof Failed) return error.failure;
				return fields.oauthTokenData === before ? refreshFailure(error, secrets) : NOT_STORED;
			}
		},
	);
	return ended.outcome === 'done' ? undefined : ended;
}

/** Returns the fields of a credential in which n8n puts renewed tokens before it stores them. They are bound to the app. */
function refreshable(data: CredentialData, before: IDataObject): CredentialData {
	let tokens = before;
	return Object.defineProperty({ ...data }, 'oauthTokenData', {
		enumerable: true,
		get: () => tokens,
		set: (oauthTokenData: IDataObject) => {
			const received = bindTokens({ ...data, oauthTokenData });
			if (received.access_token === undefined) throw new Failed(NO_TOKEN);
			// A response need not repeat the refresh token and the scope (RFC 6749, section 6): the old ones stay. The expiry of
			// the old access token does not, as the new one has its own.
			const { refresh_token, scope = '' } = before;
			tokens = { refresh_token, ...(scope !== '' && { scope }), ...received };
		},
	});
}

/** Explains what n8n's OAuth client throws. */
function refreshFailure(error: unknown, secrets: readonly string[]): Failure {
	// n8n 2.40 replaces a response with this code by an error of its own, which keeps nothing else of it.
	const isReplaced = asObject(asObject(error).failure).cause === 'credential-invalid';
	const response = isReplaced ? { body: { error: 'invalid_grant' } } : responseIn(error);
	const { statusCode, body } = response;
	const isSuccess = statusCode !== undefined && statusCode < 300;
	if (isSuccess || error instanceof SyntaxError) return tokenFailure(...unexpectedBody(body));
	if (statusCode !== undefined || isObject(body)) return tokenRejection(response, REJECTIONS, new Secrets(secrets));
	// n8n throws a TypeError for a response that is null, or whose token type is not a text.
	if (error instanceof TypeError && !('code' in error)) return UNREADABLE;
	return { ...connectionFailureOf(error), kind: 'token', outcome: 'not applied' };
}

/** Returns what an error of n8n's OAuth client contains: all of the response, or its status and body, or its body. */
function responseIn(error: unknown): Partial<ServiceResponse> {
	const { response, body } = asObject(error);
	const { status, headers } = asObject(isObject(response) ? response : error);
	return {
		...(typeof status === 'number' && { statusCode: status }),
		headers: asObject(headers),
		body: typeof body === 'string' ? (parseJson(body) ?? body) : body,
	};
}

const CONNECT_AGAIN = 'Open the credential and connect the account again (Switch account, or Connect).';

/** The response contains no token, or the one that was rejected. */
const NO_TOKEN = tokenFailure('the response contains none', `Check the Base URL. If it is right: ${CONNECT_AGAIN}`);

const UNREADABLE = tokenFailure('n8n cannot read the token response of the service', 'Check the Base URL.');

const NO_REFRESH_TOKEN = tokenFailure(
	'it has expired or was rejected, and the service issued no refresh token',
	'Connect the account again. If the service issues refresh tokens only after consent, first enter prompt=consent (or access_type=offline) in Auth URI Query Parameters of the credential.',
);

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
