import type { IHttpRequestHelper } from 'n8n-workflow';

import { readBaseUrl } from '../service/address';
import { connectionFailure } from '../service/reasons';
import { isSuccess, type ServiceResponse } from '../service/request';
import { isSendable, parseToken, TOKEN_PATH, tokenStatusFailure } from '../service/token';
import { checkVisible, invalid, toFailure, tokenFailure } from '../shared/failure';
import { asObject, asText, trimmed } from '../shared/values';
import { type App, basicOf, type CredentialData, digestOf, received } from './app';
import { findConnectionFailure, REQUEST_OPTIONS, requestByN8n } from './transport';

/** The hidden fields of a private app's credential: a token, the digest of what it was granted for, and when it ends (ISO 8601). */
export type TokenFields = Record<'accessToken' | 'accessTokenBinding' | 'accessTokenExpiresAt', string>;

/** A private app acts for the account it belongs to (docs/api.md, section 3.2). */
export const privateApp: App = {
	authentication: 'clientCredentials',
	credentialType: 'profilePageApi',
	readToken: (data) => {
		const { accessToken } = data;
		// n8n keeps a token when other fields are edited: one of another app counts as none.
		const isOfApp = data.accessTokenBinding === bindingOf(data);
		// Many services do not reject one that has ended with a 401.
		const endsAt = Date.parse(asText(data.accessTokenExpiresAt)) || Infinity;
		const isValid = isOfApp && endsAt > Date.now() && isSendable(accessToken);
		return isValid ? { value: accessToken, data, endsAt } : undefined;
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
	return digestOf(readBaseUrl(baseUrl), ...secrets);
}

/** An expression may return a number. */
function readSecret(value: unknown, displayName: string): string {
	const text = trimmed(asText(value));
	if (text === '')
		throw invalid(displayName, 'the value is empty', 'Enter it in the credential, or check the expression there.');
	checkVisible(text, displayName);
	return text;
}

/**
 * Requests an access token with the client_credentials grant (docs/api.md, sections 3.2 and 3.4; RFC 6749, section 4.4).
 *
 * @throws Failure, without the secret or a token, if a field cannot be used or there is no token
 */
export async function grantToken(n8n: IHttpRequestHelper, data: CredentialData): Promise<TokenFields> {
	const accessTokenBinding = bindingOf(data);
	const response = received(await sendGrant(n8n, data), data);
	if (!isSuccess(response)) throw tokenStatusFailure(response);
	const accessToken = parseToken(response);
	const accessTokenExpiresAt = endOf(asObject(response.body).expires_in);
	return { accessToken, accessTokenBinding, accessTokenExpiresAt };
}

/** Returns when a token ends, a minute early; empty if its lifetime in seconds is unknown, or so short that it would have ended soon. */
function endOf(lifetime: unknown): string {
	const seconds = Number(asText(lifetime)) - 60;
	return seconds > 60 && seconds < 1e9 ? new Date(Date.now() + seconds * 1000).toISOString() : '';
}

async function sendGrant(n8n: IHttpRequestHelper, data: CredentialData): Promise<ServiceResponse> {
	const headers = {
		...REQUEST_OPTIONS.headers,
		Authorization: `Basic ${basicOf(data)}`,
		'Content-Type': 'application/x-www-form-urlencoded',
	};
	try {
		const response: unknown = await n8n.helpers.httpRequest({
			...REQUEST_OPTIONS,
			method: 'POST',
			url: `${readBaseUrl(data.baseUrl)}${TOKEN_PATH}`,
			headers,
			body: 'grant_type=client_credentials',
		});
		return response as ServiceResponse;
	} catch (error) {
		throw findConnectionFailure(error) ?? connectionFailure('');
	}
}
