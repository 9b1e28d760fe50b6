import type { ICredentialType, INodeProperties } from 'n8n-workflow';

function field(name: string, displayName: string, defaultValue: string | boolean = ''): INodeProperties {
	const type = typeof defaultValue === 'string' ? 'string' : 'boolean';
	return { name, displayName, type, default: defaultValue };
}

/**
 * A stub for n8n's credential type `OAuth2Api` (package `n8n-nodes-base`,
 * `dist/credentials/OAuth2Api.credentials.js`, version 2.40.7), which n8n-core does not include. It has
 * the fields of the authorization code flow, and `oauthTokenData`, which n8n adds.
 */
export const oAuth2Api: ICredentialType = {
	name: 'oAuth2Api',
	displayName: 'OAuth2 API',
	properties: [
		{
			...field('grantType', 'Grant Type', 'authorizationCode'),
			type: 'options',
			options: [{ name: 'Authorization Code', value: 'authorizationCode' }],
		},
		field('authUrl', 'Authorization URL'),
		field('accessTokenUrl', 'Access Token URL'),
		field('clientId', 'Client ID'),
		field('clientSecret', 'Client Secret'),
		field('scope', 'Scope'),
		field('authQueryParameters', 'Auth URI Query Parameters'),
		field('authentication', 'Authentication', 'header'),
		field('ignoreSSLIssues', 'Ignore SSL Issues', false),
		{ name: 'oauthTokenData', displayName: 'oauthTokenData', type: 'json', default: {} },
	],
};
