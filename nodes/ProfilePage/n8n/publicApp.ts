import type { IDataObject } from 'n8n-workflow';

import { isSuccess } from '../service/request';
import { checkBearer, isSendable, parseToken, tokenStatusFailure } from '../service/token';
import { Failure, invalid, requestFailure, tokenFailure } from '../shared/failure';
import { asObject, asText, isObject } from '../shared/values';
import { type App, type CredentialData, received } from './app';
import { derive } from './context';
import { findConnectionFailure } from './transport';

/**
 * A public app acts for the account that signs in and grants access (docs/api.md, section 3.3). n8n connects it, and
 * stores and refreshes its tokens (RFC 6749, section 6).
 */
export const publicApp: App = {
	authentication: 'oAuth2',
	credentialType: 'profilePageOAuth2Api',
	readToken: (data) => {
		const tokens = asObject(data.oauthTokenData);
		checkBearer(tokens.token_type);
		const { access_token: value, n8n_expires_at: end } = tokens;
		if (!isSendable(value)) {
			throw invalid('Credential', 'no account is connected', 'Open the credential, press Connect, and grant access.');
		}
		// n8n 2.40 and later store when a token ends. Many services do not reject one that has ended with a 401.
		const endsAt = Number(asText(end)) || Infinity;
		// n8n sends a token in the address if its type is anything else.
		const bearer = { ...data, oauthTokenData: { access_token: value, token_type: 'Bearer' } };
		return endsAt > Date.now() ? { value, data: bearer, endsAt } : undefined;
	},
	renew: async (context, { app, data }) => {
		if (!asObject(data.oauthTokenData).refresh_token) throw tokenFailure(NO_REFRESH_TOKEN, CONNECT_AGAIN);
		const guarded = withTokensOnly(data);
		const refreshContext = derive(context, { getCredentials: async () => await Promise.resolve(guarded) });
		try {
			await context.helpers.refreshOAuth2Token.call(refreshContext, app.credentialType);
		} catch (error) {
			throw error instanceof Failure ? error : refreshFailure(error, data);
		}
		const isNew = (renewed: CredentialData) => accessTokenOf(renewed) !== accessTokenOf(data);
		if (isNew(guarded)) return { ...guarded };
		// If another process refreshes the tokens at the same time, n8n only waits until that has stored them.
		const stored = await context.getCredentials(app.credentialType, 0);
		if (isNew(stored)) return stored;
		throw tokenFailure('the response contains no new one', CONNECT_AGAIN);
	},
};

const NO_REFRESH_TOKEN = 'it has ended or was rejected, and the service issued no refresh token';

const CONNECT_AGAIN =
	'Open the credential, check the Client ID and the Client Secret, and connect the account again (Switch account, or Connect).';

const NOT_RENEWED = 'the service did not renew access to the account';

function accessTokenOf({ oauthTokenData }: CredentialData): unknown {
	return asObject(oauthTokenData).access_token;
}

/**
 * Returns the fields of a credential, of whose tokens n8n gets and stores no more than it needs: it evaluates expressions
 * in what is stored, and prefers fields such as `accessToken`, by which a service could replace a token. n8n sets the
 * refreshed tokens, merged into the old ones, before it stores them.
 */
function withTokensOnly(data: CredentialData): CredentialData {
	const { access_token, refresh_token, token_type, n8n_expires_at } = asObject(data.oauthTokenData);
	let tokens: IDataObject = { access_token, refresh_token, token_type, n8n_expires_at };
	return Object.defineProperty({ ...data }, 'oauthTokenData', {
		enumerable: true,
		get: () => tokens,
		set: (merged: unknown) => {
			// Throws Failure if n8n could not send the token.
			const token = parseToken(received({ statusCode: 200, headers: {}, body: merged }, data));
			const { refresh_token: next, n8n_expires_at: ends } = asObject(merged);
			if (token === access_token) return;
			tokens = {
				access_token: token,
				token_type: 'Bearer',
				// An empty one does not replace the old one.
				refresh_token: isSendable(next) ? next : refresh_token,
				// Unless the service sent a new lifetime, the old end is still there.
				...(ends !== n8n_expires_at && { n8n_expires_at: ends }),
			};
		},
	});
}

/** The errors by which a service refuses for good (RFC 6749, section 5.2). Any other may be of a rate limit. */
const REFUSAL = /^(?:invalid_|unauthorized_|unsupported_|access_denied)/;

/** Returns the failure for what n8n's OAuth client throws: it may pass, or the account must be connected again. */
function refreshFailure(error: unknown, data: CredentialData): Failure {
	const { response, body, name } = asObject(error);
	const { status, headers } = asObject(isObject(response) ? response : error);
	if (typeof status === 'number') {
		const answered = { statusCode: status, headers: asObject(headers), body };
		const refused = { on: /^(?!429|5)/, outcome: 'not applied', problem: NOT_RENEWED, advice: CONNECT_AGAIN } as const;
		// A success that n8n cannot read may contain the tokens, so it is not quoted.
		return tokenStatusFailure(isSuccess(answered) ? answered : received(answered, data), [refused]);
	}
	// n8n drops the status of a response that contains an error.
	if (body !== undefined) {
		const isTransient = !REFUSAL.test(asText(asObject(body).error));
		return requestFailure(NOT_RENEWED, CONNECT_AGAIN, { isTransient });
	}
	// For a refusal, n8n 2.40 throws an error of its own.
	const connection = name === 'NodeOperationError' ? undefined : findConnectionFailure(error);
	return connection ?? requestFailure(NOT_RENEWED, CONNECT_AGAIN);
}
