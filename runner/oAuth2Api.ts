import type { ICredentialType } from 'n8n-workflow';

import { plainFields } from './plainNode';

/**
 * A stub for n8n's credential type `OAuth2Api` (package `n8n-nodes-base`,
 * `dist/credentials/OAuth2Api.credentials.js`, version 2.40.7), which n8n-core does not include. It has
 * the fields of the authorization code flow, and `oauthTokenData`, which n8n adds.
 */
export const oAuth2Api: ICredentialType = {
	name: 'oAuth2Api',
	displayName: 'OAuth2 API',
	properties: plainFields({
		grantType: 'authorizationCode',
		authUrl: '',
		accessTokenUrl: '',
		clientId: '',
		clientSecret: '',
		scope: '',
		authQueryParameters: '',
		authentication: 'header',
		ignoreSSLIssues: false,
		oauthTokenData: {},
	}),
};
