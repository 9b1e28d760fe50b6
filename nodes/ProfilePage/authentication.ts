import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeCredentialDescription,
	INodeProperties,
} from 'n8n-workflow';

import { FieldError } from './explainedErrors';
import type { ServiceContext } from './serviceContext';

const PRIVATE_APP = 'clientCredentials';
const PUBLIC_APP = 'oAuth2';

/** The field in which users choose the kind of app that the node acts as. */
export const authenticationField: INodeProperties = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Private App',
			value: PRIVATE_APP,
			description: 'Act for the account that the app belongs to, with its client ID and secret',
		},
		{
			name: 'Public App',
			value: PUBLIC_APP,
			description: 'Act for whoever signs in to the service and allows it',
		},
	],
	default: PRIVATE_APP,
};

/** The credentials of the node, each shown for its kind of app. */
export const credentials: INodeCredentialDescription[] = [
	{
		name: 'profilePageApi',
		required: true,
		displayOptions: { show: { authentication: [PRIVATE_APP] } },
	},
	{
		name: 'profilePageOAuth2Api',
		required: true,
		displayOptions: { show: { authentication: [PUBLIC_APP] } },
	},
];

/** The credential that a node uses, as far as its calls need to know it. */
export interface ServiceCredential {
	readonly type: string;
	readonly id: string;
	readonly isPublicApp: boolean;
	/** Its fields, decrypted. */
	readonly data: ICredentialDataDecryptedObject;
	/** The token that n8n has stored, be it still valid or not; empty if there is none. */
	readonly accessToken: string;
	/** What must not be repeated in any message. */
	readonly secrets: readonly string[];
}

/**
 * Reads the credential that the node uses, as it is stored now.
 *
 * @throws FieldError if it is that of a public app to which nobody has given access yet
 */
export async function readCredential(context: ServiceContext): Promise<ServiceCredential> {
	const { parameters, credentials: references } = context.getNode();
	// Read as it is stored: it takes no expressions.
	const isPublicApp = parameters.authentication === PUBLIC_APP;
	const type = isPublicApp ? 'profilePageOAuth2Api' : 'profilePageApi';
	const data = await context.getCredentials(type);
	const id = references?.[type]?.id ?? '';
	const credential = withData({ type, id, isPublicApp }, data);
	if (isPublicApp && !credential.accessToken) {
		throw new FieldError(
			'Credential',
			'it is not connected to an account yet. Open it, connect it, and allow the access.',
		);
	}
	return credential;
}

/** @returns the same credential with other contents, such as a new token */
export function withData(
	{ type, id, isPublicApp }: Pick<ServiceCredential, 'type' | 'id' | 'isPublicApp'>,
	data: ICredentialDataDecryptedObject,
): ServiceCredential {
	const { accessToken, refreshToken } = isPublicApp ? readTokens(data) : data;
	return {
		type,
		id,
		isPublicApp,
		data,
		accessToken: typeof accessToken === 'string' ? accessToken : '',
		secrets: [data.clientSecret, accessToken, refreshToken].filter(
			(secret) => typeof secret === 'string',
		),
	};
}

/** n8n keeps the token answer of the authorization-code flow as it came (RFC 6749, section 5.1). */
function readTokens({ oauthTokenData }: ICredentialDataDecryptedObject): IDataObject {
	const tokens = (oauthTokenData ?? {}) as IDataObject;
	return { accessToken: tokens.access_token, refreshToken: tokens.refresh_token };
}
