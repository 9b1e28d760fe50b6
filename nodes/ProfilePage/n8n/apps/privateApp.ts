import { serviceUrl } from '../../service/baseUrl';
import { done } from '../../service/failure';
import { asText } from '../../shared/values';
import { requestByN8n } from '../transport';
import { type App, type CredentialData, digestOf, SENDABLE_TOKEN } from './app';
import { NOT_STORED } from './tokenEndpoint';

/**
 * The hidden fields of a private app's credential: a token, the digest of the app it was granted to, and when to renew
 * it, in milliseconds since 1970. That is empty if the service does not say when the token expires.
 */
export type TokenFields = Record<'accessToken' | 'accessTokenApp' | 'accessTokenRenewAt', string>;

/** A private app acts for the account it belongs to (docs/api.md, section 3.2). */
export const privateApp: App = {
	authentication: 'clientCredentials',
	credentialType: 'profilePageApi',
	bindingOf: ({ baseUrl, clientId, clientSecret }) => digestOf(serviceUrl(baseUrl, ''), clientId, clientSecret),
	readToken: (data) => {
		const { accessToken, accessTokenApp, accessTokenRenewAt: renewAt } = data;
		// n8n keeps a token when other fields are edited: one of another app counts as none.
		const isSendable = typeof accessToken === 'string' && SENDABLE_TOKEN.test(accessToken);
		if (!isSendable || accessTokenApp !== privateApp.bindingOf(data)) return undefined;
		// The token is chosen now: without a time, the credential does not find it due.
		const signing = { ...data, accessTokenRenewAt: '' };
		return { value: accessToken, renewAt: asText(renewAt) === '' ? Infinity : Number(renewAt), data: signing };
	},
	renew: async (context, stored) => {
		const data: CredentialData = { ...stored.data, accessToken: '' };
		// n8n gets and stores tokens only on the way to a request. This one is aborted before it is sent.
		const neverSent = { url: serviceUrl(data.baseUrl, '') };
		const aborted = AbortSignal.abort();
		const ended = await requestByN8n(context, privateApp.credentialType, data, neverSent, aborted);
		if (data.accessToken) return done(data);
		return ended.outcome !== 'done' && ended.kind !== 'request' ? ended : NOT_STORED;
	},
};
