import type { IHttpRequestHelper } from 'n8n-workflow';

import { serviceUrl } from '../service/address';
import { Cached } from '../service/cached';
import { connectionFailure } from '../service/connection';
import { isSuccess, type ServiceResponse } from '../service/request';
import { type Explanations, WITHOUT_PREFIX } from '../service/status';
import { asTokenFailure, isSendable, parseToken, TOKEN_PATH, tokenRejection, tokenTimedOut } from '../service/token';
import { withTimeout } from '../service/waiting';
import { checkVisible, invalid, toFailure, tokenFailure } from '../shared/failure';
import { asObject, asText, trimmed } from '../shared/values';
import { type App, basicOf, type CredentialData, digestOf, secretsOf } from './app';
import { findConnectionFailure, REQUEST_OPTIONS, requestByN8n } from './transport';

/** The hidden fields of a private app's credential: a token, the digest of what it was granted for, and when it was and ends (ISO 8601). */
export type TokenFields = Record<`accessToken${'' | 'Binding' | 'IssuedAt' | 'ExpiresAt'}`, string>;

/** A private app acts for the account it belongs to (docs/api.md, section 3.2). */
export const privateApp: App = {
	authentication: 'clientCredentials',
	credentialType: 'profilePageApi',
	readToken: (data) => {
		const { accessToken } = data;
		// n8n keeps a token when other fields are edited: one of another app counts as none.
		const isOfApp = data.accessTokenBinding === bindingOf(data);
		// Many services do not reject one that has ended with a 401.
		const hasEnded = Date.parse(asText(data.accessTokenExpiresAt)) <= Date.now();
		return isOfApp && !hasEnded && isSendable(accessToken) ? { value: accessToken, data } : undefined;
	},
	renew: async (context, { app, data, baseUrl }) => {
		const renewed: CredentialData = { ...data, accessToken: '' };
		// n8n gets and stores tokens only on the way to a request, and adds them to these fields. This one is aborted before it
		// is sent, so it always fails.
		try {
			await requestByN8n(context, app.credentialType, renewed, { url: baseUrl }, AbortSignal.abort());
		} catch (error) {
			const failure = toFailure(error);
			if (failure.data.kind !== 'request') throw failure;
		}
		if (renewed.accessToken) return renewed;
		const advice = 'Try again. If that does not help, check the log of your n8n.';
		throw tokenFailure('n8n could not get or store one', advice);
	},
};

function bindingOf({ baseUrl, clientId, clientSecret }: CredentialData): string {
	const secrets = [readSecret(clientId, 'Client ID'), readSecret(clientSecret, 'Client Secret')];
	return digestOf(serviceUrl(baseUrl, ''), ...secrets);
}

/** An expression may return a number. */
function readSecret(value: unknown, displayName: string): string {
	const text = trimmed(asText(value));
	if (text === '')
		throw invalid(displayName, 'the value is empty', 'Enter it in the credential, or check the expression there.');
	checkVisible(text, displayName);
	return text;
}

/** n8n's HTTP Request node asks for a token for each of its parallel requests: they share one. */
const grants = new Cached<TokenFields>();

/**
 * Requests an access token with the client_credentials grant (docs/api.md, sections 3.2 and 3.4; RFC 6749, section 4.4).
 *
 * @throws Failure, without the secret or a token, if a field cannot be used or there is no token
 */
export async function grantToken(n8n: IHttpRequestHelper, data: CredentialData): Promise<TokenFields> {
	const accessTokenBinding = bindingOf(data);
	return await grants.get(async () => {
		const response = await sendGrant(n8n, data);
		const secrets = secretsOf(data);
		if (!isSuccess(response)) throw tokenRejection(response, tokenExplanationsFor(response), secrets);
		const accessToken = parseToken(response, secrets);
		const accessTokenIssuedAt = new Date().toISOString();
		const accessTokenExpiresAt = endOf(asObject(response.body).expires_in);
		return { accessToken, accessTokenBinding, accessTokenIssuedAt, accessTokenExpiresAt };
	}, accessTokenBinding);
}

/** Returns when a token ends, a minute early; empty if its lifetime in seconds is unknown, or so short that it would have ended soon. */
function endOf(lifetime: unknown): string {
	const seconds = Number(asText(lifetime)) - 60;
	return seconds > 60 && seconds < 1e9 ? new Date(Date.now() + seconds * 1000).toISOString() : '';
}

const GRANT_TIME_LIMIT_MS = 15_000;

async function sendGrant(n8n: IHttpRequestHelper, data: CredentialData): Promise<ServiceResponse> {
	const headers = {
		...REQUEST_OPTIONS.headers,
		Authorization: `Basic ${basicOf(data)}`,
		'Content-Type': 'application/x-www-form-urlencoded',
	};
	return await withTimeout(GRANT_TIME_LIMIT_MS, undefined, tokenTimedOut, async (abortSignal) => {
		try {
			const response: unknown = await n8n.helpers.httpRequest({
				...REQUEST_OPTIONS,
				method: 'POST',
				url: serviceUrl(data.baseUrl, TOKEN_PATH),
				headers,
				body: 'grant_type=client_credentials',
				// Not the option `timeout`, which starts anew with each byte received.
				abortSignal,
			});
			return response as ServiceResponse;
		} catch (error) {
			throw asTokenFailure(findConnectionFailure(error) ?? connectionFailure(''));
		}
	});
}

/** Returns what the statuses of the token endpoint mean in words (RFC 6749, section 5.2). */
function tokenExplanationsFor({ statusCode: status, body }: ServiceResponse): Explanations {
	const isInvalidClient = status === 401 || asObject(body).error === 'invalid_client';
	return isInvalidClient ? INVALID_CLIENT : EXPLANATIONS;
}

const INVALID_CLIENT: Explanations = [
	[/^4/, 'the service rejected the Client ID or the Client Secret', 'Check both, and the Base URL, in the credential.'],
];

const EXPLANATIONS: Explanations = [
	[
		/^403$/,
		'the service denied the token request',
		'Check the Base URL, and the permissions of the app in the settings of the service.',
	],
	[/^404$/, 'the service has no token endpoint at this Base URL', `Check the Base URL. ${WITHOUT_PREFIX}`],
	[
		/^4(?!07|29)/,
		'the service did not give the app a token',
		'Check the Base URL in the credential, and the app in the settings of the service. If it is a public app, use a Profile Page Public App OAuth2 API credential.',
	],
];
