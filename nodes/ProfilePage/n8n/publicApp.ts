import { isExpression } from 'n8n-workflow';

import { checkBearer, isSendable, parseToken, tokenStatusFailure } from '../service/token';
import { Failure, invalid, requestFailure, tokenFailure } from '../shared/failure';
import { asObject, asText, isBlank, isObject, parseJson } from '../shared/values';
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
		const { access_token: value, n8n_expires_at: endsAt } = tokens;
		if (!isSendable(value)) {
			throw invalid('Credential', 'no account is connected', 'Open the credential, press Connect, and grant access.');
		}
		// n8n 2.40 and later store when a token ends. Many services do not reject one that has ended with a 401.
		const hasEnded = Number(asText(endsAt) || Number.NaN) <= Date.now();
		// n8n sends a token in the address if its type is anything else.
		const bearer = { ...data, oauthTokenData: { access_token: value, token_type: 'Bearer' } };
		return hasEnded ? undefined : { value, data: bearer };
	},
	renew: async (context, { app, data }) => {
		if (!asObject(data.oauthTokenData).refresh_token) throw tokenFailure(NO_REFRESH_TOKEN, CONNECT_AGAIN);
		const guarded = withoutExpressions(data);
		const refreshContext = derive(context, { getCredentials: async () => await Promise.resolve(guarded) });
		try {
			await context.helpers.refreshOAuth2Token.call(refreshContext, app.credentialType);
		} catch (error) {
			throw error instanceof Failure ? error : refreshFailure(error, data);
		}
		// n8n has put the new tokens here, and stored them.
		const isOld = ({ oauthTokenData }: CredentialData) =>
			asObject(oauthTokenData).access_token === asObject(data.oauthTokenData).access_token;
		// If another process refreshes them at the same time, n8n only waits until that has stored them.
		const renewed = isOld(guarded) ? await context.getCredentials(app.credentialType, 0) : guarded;
		if (isOld(renewed)) throw tokenFailure('the response contains no new one', CONNECT_AGAIN);
		return { ...renewed };
	},
};

const NO_REFRESH_TOKEN = 'it has ended or was rejected, and the service issued no refresh token';

const CONNECT_AGAIN =
	'Open the credential, check the Client ID and the Client Secret, and connect the account again (Switch account, or Connect).';

const NOT_RENEWED = 'the service did not renew access to the account';

/** n8n prefers these names, by which a service could replace the token. */
const OTHER_NAMES = ['accessToken', 'refreshToken', 'tokenType'];

/**
 * Returns the fields of a credential, with a setter for its tokens: n8n sets the refreshed ones, merged into the old ones,
 * and then stores them. An expression in them is refused, since n8n would evaluate it with the data of the workflow, and
 * send the result to the service that issued it.
 */
function withoutExpressions(data: CredentialData): CredentialData {
	const stored = Object.entries(asObject(data.oauthTokenData)).filter(([name]) => !OTHER_NAMES.includes(name));
	let tokens: CredentialData['oauthTokenData'] = Object.fromEntries(stored);
	return Object.defineProperty({ ...data }, 'oauthTokenData', {
		enumerable: true,
		get: () => tokens,
		set: (merged: typeof tokens) => {
			// Throws Failure if n8n could not send the token.
			const token = parseToken(received({ statusCode: 200, headers: {}, body: merged }, data));
			if (mayBeEvaluated(merged)) throw tokenFailure('the response contains an n8n expression', 'Check the Base URL.');
			const { access_token: old, refresh_token: kept, n8n_expires_at: ended } = asObject(data.oauthTokenData);
			const { refresh_token: next, n8n_expires_at: ends, ...others } = asObject(merged);
			if (token === old) return;
			// An empty refresh token does not replace one.
			tokens = {
				...others,
				refresh_token: isBlank(next) ? kept : next,
				...(ends !== ended && { n8n_expires_at: ends }),
			};
		},
	});
}

function mayBeEvaluated(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return isExpression(value);
	return Object.entries(value).some(([name, inner]) => isExpression(name) || mayBeEvaluated(inner));
}

/** Returns the failure for what n8n's OAuth client throws: it may pass, or the account must be connected again. */
function refreshFailure(error: unknown, data: CredentialData): Failure {
	const { response, body, name } = asObject(error);
	const { status, headers } = asObject(isObject(response) ? response : error);
	const content = typeof body === 'string' ? (parseJson(body) ?? body) : body;
	if (typeof status === 'number') {
		const answered = received({ statusCode: status, headers: asObject(headers), body: content }, data);
		return tokenStatusFailure(answered, [
			{ on: /^(?!429|5)/, outcome: 'not applied', problem: NOT_RENEWED, advice: CONNECT_AGAIN },
		]);
	}
	// n8n's error may contain the body alone. Without a code of RFC 6749, section 5.2, it may be a rate limit.
	if (body !== undefined) {
		const isFinal = /^(invalid_|unauthorized_|unsupported_|access_denied)/.test(asText(asObject(content).error));
		return requestFailure(NOT_RENEWED, CONNECT_AGAIN, isFinal ? {} : { passes: 'soon' });
	}
	// For a refresh token that was refused, n8n 2.40 throws an error of its own.
	const connection = name === 'NodeOperationError' ? undefined : findConnectionFailure(error);
	return connection ?? requestFailure(NOT_RENEWED, CONNECT_AGAIN);
}
