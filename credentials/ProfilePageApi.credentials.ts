import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IDataObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

import { FieldError } from '../nodes/ProfilePage/errors';
import { parseUrl } from '../nodes/ProfilePage/parseUrl';
import { serviceUrl } from '../nodes/ProfilePage/transport/baseUrl';
import { FAILED_STATUSES } from '../nodes/ProfilePage/transport/envelope';
import { SingleFlight } from '../nodes/ProfilePage/transport/singleFlight';
import {
	bindToken,
	type GrantedToken,
	isPrivateTokenExpired,
	privateAppDigest,
	readPrivateToken,
} from '../nodes/ProfilePage/transport/tokenBinding';
import { baseUrlField } from './baseUrlField';
import { readPrivateApp, requestAccessToken } from './clientCredentialsGrant';

/** The grants in progress in this process. n8n asks for a token for each parallel request. */
const grants = new SingleFlight<GrantedToken>();

/** A field that n8n stores for the credential and never shows; `password` keeps it from the browser. */
function hiddenField(displayName: string, name: keyof GrantedToken): INodeProperties {
	return { displayName, name, type: 'hidden', typeOptions: { password: true }, default: '' };
}

/** n8n takes it for the answer 401 to a request, which is not sent: it gets a token, and signs again. */
class NoUsableToken extends Error {
	readonly response = { status: 401 };

	constructor() {
		super('There is no access token for this app.');
	}
}

/** A token is for the service at the Base URL alone. n8n's older helper calls the URL `uri`. */
function checkHost(
	{ baseUrl }: ICredentialDataDecryptedObject,
	{ url, baseURL, ...others }: IHttpRequestOptions & { uri?: unknown },
): void {
	const target = url || others.uri;
	const address = typeof target === 'string' ? parseUrl(target, baseURL) : undefined;
	if (address?.origin === parseUrl(serviceUrl(baseUrl, ''))?.origin) return;
	throw new FieldError(
		'URL',
		'it must be on the host of the Base URL in the credential. The access token is for that service only.',
	);
}

/**
 * What the Test button says if the profile can't be read. n8n's type allows rules of one kind only; its
 * tester goes through each rule by its own kind.
 */
const testRules = [
	...[301, 302, 303, 307, 308].map((status) =>
		explainTestStatus(status, 'answered with a redirect. Check the Base URL.'),
	),
	explainTestStatus(
		401,
		'refused the access token. Check that the app still has access to the account.',
	),
	explainTestStatus(403, 'does not let the app read the profile. Check what the app may do.'),
	explainTestStatus(404, 'has no profile at this address. Check the Base URL.'),
	...[...FAILED_STATUSES, null].map((status) =>
		explainTestAnswer(
			status,
			'reported a failure when asked for the profile. Check that the app still has access to the account.',
		),
	),
	// Such as a web page: it has no status at all.
	explainTestAnswer(
		undefined,
		'answered with something other than a profile. Check that the Base URL is the address of the service.',
	),
] as ICredentialTestRequest['rules'];

function explainTestStatus(status: number, explanation: string) {
	return {
		type: 'responseCode' as const,
		properties: {
			value: status,
			message: `The service ${explanation} (HTTP ${status})`,
		},
	};
}

function explainTestAnswer(status: unknown, explanation: string) {
	return {
		type: 'responseSuccessBody' as const,
		properties: { key: 'status', value: status, message: `The service ${explanation}` },
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
			...hiddenField('Access Token', 'accessToken'),
			// n8n stores what preAuthentication returns, and calls it again after a 401.
			typeOptions: { expirable: true, password: true },
		},
		hiddenField('Access Token App', 'accessTokenApp'),
		hiddenField('Access Token Renewal Time', 'accessTokenRenewAt'),
	];

	/**
	 * Requests an access token. n8n calls it when none is stored and after a 401, and stores what it
	 * returns.
	 *
	 * @returns the token and what it is good for
	 * @throws FieldError if a field can't be used, before anything is sent
	 * @throws ServiceError if the service grants no token
	 */
	async preAuthentication(
		this: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
	): Promise<GrantedToken & IDataObject> {
		const app = readPrivateApp(credentials);
		const digest = privateAppDigest(credentials);
		const granted = await grants.run(digest, async () => {
			const requestedAt = Date.now();
			const { accessToken, expiresIn } = await requestAccessToken(this, app);
			return bindToken(accessToken, digest, requestedAt, expiresIn);
		});
		return { ...granted };
	}

	/**
	 * Signs a request with the token as bearer (RFC 6750, section 2.1). Redirects are not followed, as
	 * they would take the token along.
	 *
	 * A field, not a method: n8n copies fields alone when it looks which credentials can sign requests
	 * for "Custom API Call" and for the HTTP Request node.
	 *
	 * @throws FieldError if the request goes to another host than that of the Base URL
	 * @throws NoUsableToken if the token was granted to another app, or has expired; n8n then gets a new one
	 */
	authenticate: IAuthenticate = async (credentials, requestOptions) => {
		checkHost(credentials, requestOptions);
		const accessToken = !isPrivateTokenExpired(credentials) && readPrivateToken(credentials);
		if (!accessToken) return await Promise.reject(new NoUsableToken());
		return {
			...requestOptions,
			headers: { ...requestOptions.headers, Authorization: `Bearer ${accessToken}` },
			disableFollowRedirect: true,
			// The same in the words of n8n's older helper, which the HTTP Request node uses.
			...{ followRedirect: false, followAllRedirects: false },
		};
	};

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl.trim().replace(/\\/+$/, "") }}',
			url: '/oauth/v1/me',
		},
		rules: testRules,
	};
}
