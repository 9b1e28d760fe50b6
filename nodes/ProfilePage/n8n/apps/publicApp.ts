import { done, invalid } from '../../service/failure';
import { pause } from '../../service/waiting';
import { asObject } from '../../shared/values';
import { type App, type CredentialData, renewalTime } from './app';
import { bindingOf, bindTokens } from './binding';
import { NO_TOKEN, refreshTokens } from './refresh';

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
