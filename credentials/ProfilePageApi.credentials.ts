import type {
	IAuthenticate,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestHelper,
	INodeProperties,
} from 'n8n-workflow';

import type { CredentialData } from '../nodes/ProfilePage/n8n/app';
import { withCredentialErrors } from '../nodes/ProfilePage/n8n/errors';
import { grantToken, type TokenFields } from '../nodes/ProfilePage/n8n/privateApp';
import { signRequest } from '../nodes/ProfilePage/n8n/signing';
import { messageOfStatus } from '../nodes/ProfilePage/n8n/words';
import { appFields, hiddenField, icon, listPathFields, requiredField, TRIMMED } from './common';

/** The statuses by which services usually refuse to show a profile. */
const STATUSES = [301, 302, 307, 308, 401, 403, 404];

/** What the service does if the `status` of its response is no success. A web page, for example, has none. */
const FAILURES: ReadonlyArray<readonly [status: unknown, message: string]> = [
	[false, 'The service reported a failure. Check that the app still has access to the account.'],
	[undefined, 'The service responded with something other than a profile. Check the Base URL.'],
];

/** A private app of the service, which gets tokens with the client_credentials grant. */
export class ProfilePageApi implements ICredentialType {
	name = 'profilePageApi';
	displayName = 'Profile Page Private App API';
	icon = icon;
	// The build replaces REPOSITORY with the address in package.json.
	documentationUrl = 'https://REPOSITORY/blob/HEAD/docs/credentials.md#private-app';

	properties: INodeProperties[] = [
		requiredField('Base URL', 'baseUrl', {
			placeholder: 'e.g. https://lnk.bio',
			description: 'The address of the profile-page service, starting with https://',
		}),
		...appFields(
			'private',
			'Create a private app at the service. At Lnk.Bio, go to Developers → Create new App → Private App. The client secret is shown only once.',
		),
		...listPathFields,
		// n8n stores what preAuthentication returns, and calls it if the token is empty and after status 401. `password`
		// keeps these fields from the browser.
		hiddenField('Access Token', 'accessToken', { typeOptions: { expirable: true, password: true } }),
		hiddenField('Access Token Binding', 'accessTokenBinding', { typeOptions: { password: true } }),
		hiddenField('Access Token Expires At', 'accessTokenExpiresAt', { typeOptions: { password: true } }),
	];

	async preAuthentication(this: IHttpRequestHelper, credentials: CredentialData): Promise<TokenFields> {
		return await withCredentialErrors(credentials, async () => await grantToken(this, credentials));
	}

	/**
	 * Signs a request, or throws if there is no token for it. A field, not a method: n8n copies only fields when it
	 * looks for credentials that can sign requests of "Custom API Call" and of the HTTP Request node.
	 */
	authenticate: IAuthenticate = async (credentials, request) =>
		await withCredentialErrors(credentials, () => signRequest(credentials, request));

	test: ICredentialTestRequest = {
		request: {
			baseURL: `={{ $credentials.baseUrl${TRIMMED}.replace(/\\/+$/, "") }}`,
			url: '/oauth/v1/me',
		},
		// n8n's type allows rules of one kind only; its tester supports both together.
		rules: [
			...STATUSES.map((status) => ({
				type: 'responseCode',
				properties: { value: status, message: messageOfStatus(status) },
			})),
			...FAILURES.map(([value, message]) => ({
				type: 'responseSuccessBody',
				properties: { key: 'status', value, message },
			})),
		] as ICredentialTestRequest['rules'],
	};
}
