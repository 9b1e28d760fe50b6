import type { ICredentialType, INodeProperties } from 'n8n-workflow';

import { VALID_BASE_URL } from '../nodes/ProfilePage/service/address';
import { TOKEN_PATH } from '../nodes/ProfilePage/service/token';
import { appFields, hiddenField, icon, TRIMMED } from './common';

/** An unknown scheme: n8n refuses it before it sends anything, and quotes it in its message. */
const INVALID_URL = 'The-Base-URL-must-start-with-https-and-contain-no-user-name-or-query:';

const BASE_URL = `$self["baseUrl"]${TRIMMED}`;

/** Returns an expression for a credential field that n8n itself reads. It gives {@link INVALID_URL} if the Base URL cannot be used. */
function ifValid(value: string): string {
	return `={{ ${VALID_BASE_URL}.test(${BASE_URL}) ? ${value} : "${INVALID_URL}" }}`;
}

function serviceUrlExpression(path: string): string {
	return ifValid(`${BASE_URL}.replace(/(?<!\\/)\\/+$/, "") + "${path}"`);
}

/** The host of the Base URL, for n8n's list of the domains that a credential may be used with. */
const SERVICE_HOST_EXPRESSION = ifValid(`${BASE_URL}.split("/")[2].replace(/:\\d+$/, "")`);

/**
 * A public app of the service, which acts for the account that signs in and grants access. n8n runs the
 * authorization-code flow, and stores and renews the tokens (RFC 6749, sections 4.1 and 6).
 */
export class ProfilePageOAuth2Api implements ICredentialType {
	name = 'profilePageOAuth2Api';
	// n8n shows inherited fields first, in this order: thus the Base URL comes before n8n's own fields.
	extends = ['profilePageApi', 'oAuth2Api'];
	displayName = 'Profile Page Public App OAuth2 API';
	icon = icon;
	// The build replaces REPOSITORY with the address in package.json.
	documentationUrl = 'https://REPOSITORY/blob/HEAD/docs/credentials.md#public-app';

	properties: INodeProperties[] = [
		...appFields(
			'public',
			'Create a public app at the service, with the OAuth Redirect URL above as a redirect URI: the service sends you back there after you grant access. At Lnk.Bio, go to Developers → Create new App → Public App. The client secret is shown only once.',
		),
		hiddenField('Grant Type', 'grantType', { default: 'authorizationCode' }),
		hiddenField('Authorization URL', 'authUrl', { default: serviceUrlExpression('/manage/access') }),
		hiddenField('Access Token URL', 'accessTokenUrl', { default: serviceUrlExpression(TOKEN_PATH) }),
		// Otherwise, anybody who may use the credential could send the token to a host of their own.
		hiddenField('Allowed HTTP Request Domains', 'allowedHttpRequestDomains', { default: 'domains' }),
		hiddenField('Allowed Domains', 'allowedDomains', { default: SERVICE_HOST_EXPRESSION }),
		{
			displayName: 'Scope',
			name: 'scope',
			type: 'string',
			default: 'basic',
			description: 'Leave it as it is, unless the service names another scope',
		},
		{
			displayName: 'Auth URI Query Parameters',
			name: 'authQueryParameters',
			type: 'string',
			default: '',
			placeholder: 'e.g. prompt=consent',
			description:
				'Leave it empty, unless you have to connect again whenever a token has expired: some services let n8n renew access only with "prompt=consent" or "access_type=offline" in the address where you grant access',
		},
		{
			displayName: 'Use PKCE',
			name: 'usePkce',
			type: 'boolean',
			default: true,
			description:
				'Whether to connect with PKCE, which makes a stolen authorization code useless. Leave it on, unless the service rejects it. n8n 1 ignores it.',
		},
		{
			displayName: 'Authentication',
			name: 'authentication',
			type: 'options',
			options: [
				{ name: 'Header', value: 'header', description: 'By HTTP Basic authentication' },
				{ name: 'Body', value: 'body', description: 'As fields of the request' },
			],
			default: 'header',
			description:
				'How the client ID and the client secret are sent when tokens are requested and renewed. Leave it as it is, unless the service rejects them.',
		},
	];
}
