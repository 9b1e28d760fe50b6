import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestHelper,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

import { baseUrlField } from './baseUrlField';
import { type PrivateApp, readPrivateApp, requestAccessToken } from './clientCredentialsGrant';
import { GrantSharing } from './grantSharing';

/** Shared by every execution in this process. */
const grants = new GrantSharing();

function accountKey({ tokenUrl, clientId, clientSecret }: PrivateApp): string {
	return JSON.stringify([tokenUrl, clientId, clientSecret]);
}

/** @returns the stored access token, or an empty text if there is none */
function readAccessToken({ accessToken }: ICredentialDataDecryptedObject): string {
	return typeof accessToken === 'string' ? accessToken : '';
}

/**
 * What the Test button says where an access token came and the profile did not. n8n's type allows
 * rules of one kind only; its tester goes through each rule by its own kind.
 */
const testRules = [
	...[301, 302, 303, 307, 308].map((status) =>
		explainTestStatus(status, 'answered with a redirect. Check the Base URL.'),
	),
	explainTestStatus(401, 'then refused it. Check that the app still has access to the account.'),
	explainTestStatus(403, 'does not let the app read the profile. Check what the app may do.'),
	explainTestStatus(404, 'has no profile at this address. Check the Base URL.'),
	{
		type: 'responseSuccessBody' as const,
		properties: {
			key: 'status',
			value: false,
			message:
				'The service gave an access token but reported a failure when asked for the profile. Check that the app still has access to the account.',
		},
	},
] as ICredentialTestRequest['rules'];

function explainTestStatus(status: number, explanation: string) {
	return {
		type: 'responseCode' as const,
		properties: {
			value: status,
			message: `The service gave an access token but ${explanation} (HTTP ${status})`,
		},
	};
}

/**
 * A private app of the service: it gets access tokens with the client_credentials grant (the
 * service's contract, sections 4.2 and 5.3).
 */
export class ProfilePageApi implements ICredentialType {
	name = 'profilePageApi';

	displayName = 'Profile Page API';

	icon: Icon = {
		light: 'file:../nodes/ProfilePage/profilePage.svg',
		dark: 'file:../nodes/ProfilePage/profilePage.dark.svg',
	};

	documentationUrl = 'https://docs.n8n.io/credentials/add-edit-credentials/';

	properties: INodeProperties[] = [
		baseUrlField,
		{
			displayName: 'Client ID',
			name: 'clientId',
			type: 'string',
			required: true,
			default: '',
			description: 'The ID of your private app, from the settings of the service',
		},
		{
			displayName: 'Client Secret',
			name: 'clientSecret',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'The secret of your private app, from the settings of the service',
		},
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'hidden',
			// `expirable`: n8n stores what preAuthentication returns here and asks again after a 401.
			// `password`: n8n keeps it from the browser.
			typeOptions: { expirable: true, password: true },
			default: '',
		},
	];

	/**
	 * Gets an access token. n8n calls it when none is stored, when the stored one was refused with a
	 * 401, and for the Test button, and stores what it returns.
	 *
	 * @throws FieldError if a field can't be used, before anything is sent
	 * @throws ServiceError if the service gives no token
	 */
	async preAuthentication(
		this: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
	): Promise<{ accessToken: string }> {
		const app = readPrivateApp(credentials);
		const accessToken = await grants.token(
			accountKey(app),
			readAccessToken(credentials),
			async () => await requestAccessToken(this, app),
		);
		return { accessToken };
	}

	/**
	 * Makes a request one of the app's: with the token as bearer (RFC 6750, section 2.1), and without
	 * following redirects, which would carry the token to wherever the answer points.
	 *
	 * A field, not a method: n8n copies fields alone when it looks which credentials can sign requests
	 * for "Custom API Call" and for the HTTP Request node.
	 */
	authenticate: IAuthenticate = (credentials, requestOptions) => {
		const accessToken = readAccessToken(credentials);
		grants.noteRequest(accountKey(readPrivateApp(credentials)), accessToken);
		return Promise.resolve({
			...requestOptions,
			headers: { ...requestOptions.headers, Authorization: `Bearer ${accessToken}` },
			disableFollowRedirect: true,
			// The same in the words of n8n's older helper, which the HTTP Request node uses.
			...{ followRedirect: false, followAllRedirects: false },
		});
	};

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl.trim().replace(/\\/+$/, "") }}',
			url: '/oauth/v1/me',
		},
		rules: testRules,
	};
}
