import type {
	ICredentialType,
	IDataObject,
	IHttpRequestHelper,
	INodeProperties,
} from 'n8n-workflow';

import type { CredentialData } from '../nodes/ProfilePage/oauth/app';
import { serviceUrlExpression } from '../nodes/ProfilePage/oauth/baseUrl';
import { bindTokens } from '../nodes/ProfilePage/oauth/publicApp';
import { inOneText } from '../nodes/ProfilePage/shared/errors';
import { baseUrlField, hiddenField, icon } from './common';

/**
 * A public app of the service, which acts for the account that signs in and allows it. n8n runs the
 * authorization-code flow, and stores and renews the tokens (RFC 6749, sections 4.1 and 6).
 */
export class ProfilePageOAuth2Api implements ICredentialType {
	name = 'profilePageOAuth2Api';
	extends = ['oAuth2Api'];
	displayName = 'Profile Page OAuth2 API';
	icon = icon;
	documentationUrl = 'https://docs.n8n.io/credentials/add-edit-credentials/';

	properties: INodeProperties[] = [
		baseUrlField,
		hiddenField('Grant Type', 'grantType', 'authorizationCode'),
		hiddenField('Authorization URL', 'authUrl', serviceUrlExpression('/manage/access')),
		hiddenField('Access Token URL', 'accessTokenUrl', serviceUrlExpression('/oauth/token')),
		{
			displayName: 'Scope',
			name: 'scope',
			type: 'string',
			default: 'basic',
			description: 'What the app asks for: "basic", unless the service names another scope',
		},
		hiddenField('Auth URI Query Parameters', 'authQueryParameters'),
		// Client ID and secret are sent with HTTP Basic authentication (docs/api.md, section 3.3).
		hiddenField('Authentication', 'authentication', 'header'),
	];

	/** Binds the tokens to the app. n8n 2.40 calls it before it signs requests and stores renewed tokens. */
	async preAuthentication(
		this: IHttpRequestHelper,
		credentials: CredentialData,
	): Promise<IDataObject> {
		return await inOneText(() => ({ oauthTokenData: bindTokens(credentials) }));
	}
}
