import type { ICredentialType, INodeProperties } from 'n8n-workflow';

function field(
	name: string,
	displayName: string,
	fallback: INodeProperties['default'] = '',
): INodeProperties {
	return {
		name,
		displayName,
		type: typeof fallback === 'string' ? 'string' : 'boolean',
		default: fallback,
	};
}

/**
 * Stands in for n8n's own credential type of that name, which n8n-core does not bring: the fields of
 * the class `OAuth2Api` of the package `n8n-nodes-base` (`dist/credentials/OAuth2Api.credentials.js`,
 * read at version 2.40.7) that the authorization-code flow uses, and the one that n8n adds.
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
