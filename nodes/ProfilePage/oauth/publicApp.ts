import { type IDataObject, isExpression } from 'n8n-workflow';

import { NoTokenError, ValidationError } from '../shared/errors';
import { asObject, asText } from '../shared/values';
import { type App, type CredentialData, digestOf, renewalMargin } from './app';
import { serviceUrl } from './baseUrl';

/** A property of n8n's `oauthTokenData`: the digests of the token and of the app it belongs to. */
const BINDING = 'profile_page_binding';

/** A public app acts for the account that signs in and grants access (docs/api.md, section 3.3). */
export const publicApp: App = {
	authentication: 'oAuth2',
	credentialType: 'profilePageOAuth2Api',
	check: (data) => {
		bindTokens(data);
		if (!publicApp.readToken(data)) {
			const advice = 'Open the credential, press Connect, and grant access.';
			throw new ValidationError('Credential', 'no account is connected', advice);
		}
	},
	// Not the client secret: replacing it ends no consent.
	digest: ({ baseUrl, clientId }) => digestOf(serviceUrl(baseUrl, ''), clientId),
	readToken: (data) => {
		const { access_token: accessToken } = readTokens(data);
		return typeof accessToken === 'string' ? accessToken : '';
	},
	// n8n before 2.40 does not store the time.
	isExpired: (data) => {
		const { n8n_expires_at: expiresAt, expires_in: expiresIn } = readTokens(data);
		const [expiry, lifetime] = [Number(expiresAt), Number(expiresIn) * 1000];
		return lifetime > 0 && expiry > 0 && Date.now() >= expiry - renewalMargin(lifetime);
	},
};

/**
 * Returns n8n's `oauthTokenData`, bound to the Base URL and the client ID. n8n offers no way to do so when an account
 * is connected, so tokens are bound when they are first renewed. A binding names its token, because n8n keeps the
 * binding when the account is connected again.
 *
 * @throws ValidationError if the tokens are bound to another app, or the Base URL cannot be used
 * @throws NoTokenError if n8n would evaluate a value as an expression
 */
export function bindTokens(data: CredentialData): IDataObject {
	const tokens = readTokens(data);
	if (Object.values(tokens).some(isExpression)) {
		const problem = 'the response contains an n8n expression';
		throw new NoTokenError({ problem, advice: 'Check the Base URL.' });
	}
	const app = publicApp.digest(data);
	const token = digestOf(tokens.access_token);
	const [boundToken, boundApp] = asText(tokens[BINDING]).split(' ');
	if (boundToken === token && boundApp !== app) {
		const problem = 'its Base URL or Client ID was changed after the account was connected';
		const advice = 'Open it and connect the account again (Switch account, or Connect).';
		throw new ValidationError('Credential', problem, advice);
	}
	return { ...tokens, [BINDING]: `${token} ${app}` };
}

/** Returns the last token response, as n8n stores it (RFC 6749, section 5.1). */
export function readTokens({ oauthTokenData }: CredentialData): IDataObject {
	return asObject(oauthTokenData);
}
