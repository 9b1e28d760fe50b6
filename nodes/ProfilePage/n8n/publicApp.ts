import { isExpression } from 'n8n-workflow';

import { quoteSafely } from '../service/quotes';
import { asTokenFailure, checkBearer, isSendable, parseToken, tokenRejection, tokenTimedOut } from '../service/token';
import { withTimeout } from '../service/waiting';
import { Failure, invalid, tokenFailure } from '../shared/failure';
import { asObject, asText, isBlank, isObject, parseJson } from '../shared/values';
import { type App, type CredentialData, secretsOf } from './app';
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
		const { access_token: value } = tokens;
		if (!isSendable(value)) {
			throw invalid('Credential', 'no account is connected', 'Open the credential, press Connect, and grant access.');
		}
		// n8n sends a token in the address if its type is anything else.
		return { value, data: { ...data, oauthTokenData: { access_token: value, token_type: 'Bearer' } } };
	},
	renew: async (context, { app, data }) => {
		if (!asObject(data.oauthTokenData).refresh_token) throw tokenFailure(NO_REFRESH_TOKEN, GRANT_OFFLINE);
		let said: string | undefined;
		const guarded = withoutExpressions(data, (received) => (said = quoteSafely(received, secretsOf(data))));
		const refreshContext = derive(context, { getCredentials: async () => await Promise.resolve(guarded) });
		await withTimeout(RENEWAL_TIME_LIMIT_MS, undefined, tokenTimedOut, async () => {
			try {
				await context.helpers.refreshOAuth2Token.call(refreshContext, app.credentialType);
			} catch (error) {
				throw error instanceof Failure ? error : refreshFailure(error, data);
			}
		});
		// n8n has put the new tokens here, and stored them.
		const isOld = ({ oauthTokenData }: CredentialData) =>
			asObject(oauthTokenData).access_token === asObject(data.oauthTokenData).access_token;
		// If another process refreshes them at the same time, n8n only waits until that has stored them.
		const renewed = isOld(guarded) ? await context.getCredentials(app.credentialType, 0) : guarded;
		if (isOld(renewed)) throw tokenFailure('the response contains no new one', CONNECT_AGAIN, { response: { said } });
		return { ...renewed };
	},
};

/** n8n itself gives up after five minutes, for which every execution would wait. */
const RENEWAL_TIME_LIMIT_MS = 60_000;

const CONNECT_AGAIN = 'Open the credential and connect the account again (Switch account, or Connect).';
const CHECK_APP = 'Check Client ID, Client Secret, and Authentication in the credential, and connect again.';

const NOT_RENEWED = 'the service did not renew access to the account';

const NO_REFRESH_TOKEN = 'it has expired or was rejected, and the service issued no refresh token';

const GRANT_OFFLINE =
	'Connect the account again. If the service issues refresh tokens only after consent, first enter prompt=consent (or access_type=offline) in Auth URI Query Parameters of the credential.';

/** n8n prefers these names, by which a service could replace the token. */
const OTHER_NAMES = ['accessToken', 'refreshToken', 'tokenType'];

/**
 * Returns the fields of a credential in which n8n puts refreshed tokens before it stores them. n8n would evaluate an
 * expression in them with the data of the workflow, and send the result to the service that issued it.
 *
 * @param onOldToken is called with a response that contains no new token, which is not stored: n8n adds what it receives to
 *   the old tokens
 */
function withoutExpressions(data: CredentialData, onOldToken: (received: unknown) => void): CredentialData {
	const stored = Object.entries(asObject(data.oauthTokenData)).filter(([name]) => !OTHER_NAMES.includes(name));
	let tokens: CredentialData['oauthTokenData'] = Object.fromEntries(stored);
	return Object.defineProperty({ ...data }, 'oauthTokenData', {
		enumerable: true,
		get: () => tokens,
		set: (received: typeof tokens) => {
			// Throws Failure if n8n could not send the token.
			const token = parseToken({ statusCode: 200, headers: {}, body: received }, secretsOf(data));
			if (mayBeEvaluated(received))
				throw tokenFailure('the response contains an n8n expression', 'Check the Base URL.');
			const { access_token: old, refresh_token: kept } = asObject(data.oauthTokenData);
			const { refresh_token: next, ...others } = asObject(received);
			if (token === old) onOldToken(received);
			// An empty refresh token does not replace one.
			else tokens = { ...others, refresh_token: isBlank(next) ? kept : next };
		},
	});
}

function mayBeEvaluated(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return isExpression(value);
	return Object.entries(value).some(([name, inner]) => isExpression(name) || mayBeEvaluated(inner));
}

/** Returns the failure for what n8n's OAuth client throws: it may pass, or the account must be connected again. */
function refreshFailure(error: unknown, data: CredentialData): Failure {
	const { response, body } = asObject(error);
	const { status, headers } = asObject(isObject(response) ? response : error);
	const answer = typeof body === 'string' ? (parseJson(body) ?? body) : body;
	const toDo = asObject(answer).error === 'invalid_client' ? CHECK_APP : CONNECT_AGAIN;
	if (typeof status === 'number') {
		const answered = { statusCode: status, headers: asObject(headers), body: answer };
		return tokenRejection(answered, [[/^(?!429|5)/, NOT_RENEWED, toDo]], secretsOf(data));
	}
	// n8n's error may contain the body alone. Without a code of RFC 6749, section 5.2, it may be a rate limit.
	if (body !== undefined) {
		const isFinal = /^(invalid_|unauthorized_|unsupported_|access_denied)/.test(asText(asObject(answer).error));
		const said = quoteSafely(answer, secretsOf(data));
		return tokenFailure(NOT_RENEWED, toDo, { response: { said }, passes: isFinal ? undefined : 'soon' });
	}
	// n8n 2.40 throws an error of its own for this code, without the response.
	if (asObject(error).name === 'NodeOperationError') {
		return tokenFailure(NOT_RENEWED, CONNECT_AGAIN, { response: { said: 'invalid_grant' } });
	}
	const connection = findConnectionFailure(error);
	if (connection) return asTokenFailure(connection);
	return tokenFailure('n8n could not renew access to the account', CONNECT_AGAIN);
}
