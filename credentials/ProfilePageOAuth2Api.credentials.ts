import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	Icon,
	IDataObject,
	IHttpRequestHelper,
	INodeProperties,
} from 'n8n-workflow';

import { serviceUrlExpression } from '../nodes/ProfilePage/transport/baseUrl';
import { bindConnectedTokens } from '../nodes/ProfilePage/transport/tokenBinding';
import { baseUrlField } from './baseUrlField';

/**
 * A public app of the service: it acts for whoever signs in and allows it (the service's contract,
 * sections 5.2 and 5.4). n8n itself runs the authorization-code flow, checks its `state`, stores the
 * tokens and renews them; what the contract does not show follows RFC 6749.
 */
export class ProfilePageOAuth2Api implements ICredentialType {
	name = 'profilePageOAuth2Api';

	extends = ['oAuth2Api'];

	displayName = 'Profile Page OAuth2 API';

	icon: Icon = {
		light: 'file:../nodes/ProfilePage/profilePage.svg',
		dark: 'file:../nodes/ProfilePage/profilePage.dark.svg',
	};

	documentationUrl = 'https://docs.n8n.io/credentials/add-edit-credentials/';

	properties: INodeProperties[] = [
		baseUrlField,
		{
			displayName: 'Grant Type',
			name: 'grantType',
			type: 'hidden',
			default: 'authorizationCode',
		},
		{
			displayName: 'Authorization URL',
			name: 'authUrl',
			type: 'hidden',
			default: serviceUrlExpression('/manage/access'),
		},
		{
			displayName: 'Access Token URL',
			name: 'accessTokenUrl',
			type: 'hidden',
			default: serviceUrlExpression('/oauth/token'),
		},
		{
			displayName: 'Scope',
			name: 'scope',
			type: 'string',
			default: 'basic',
			description: 'What the app asks to be allowed; "basic" unless the service names another',
		},
		{
			displayName: 'Auth URI Query Parameters',
			name: 'authQueryParameters',
			type: 'hidden',
			default: '',
		},
		{
			// Client ID and secret go by HTTP Basic, as in the other grant (the contract, section 4.2).
			displayName: 'Authentication',
			name: 'authentication',
			type: 'hidden',
			default: 'header',
		},
	];

	/**
	 * Keeps the tokens with the service that they are from. n8n 2.40 calls it before it signs a request,
	 * and before it stores renewed tokens; older versions never do.
	 *
	 * @returns the tokens, bound to the Base URL and the client ID
	 * @throws FieldError if they are bound to others
	 */
	async preAuthentication(
		this: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
	): Promise<IDataObject> {
		return await Promise.resolve({ oauthTokenData: bindConnectedTokens(credentials) });
	}
}
