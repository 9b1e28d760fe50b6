import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	INodeCredentialDescription,
	INodeProperties,
} from 'n8n-workflow';

import { FieldError } from './errors';
import type { ServiceContext } from './serviceContext';
import {
	bindConnectedTokens,
	isPrivateTokenExpired,
	isPublicTokenExpired,
	privateAppDigest,
	publicAppDigest,
	readPrivateToken,
	readPublicTokens,
} from './transport/tokenBinding';

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
	/** Tells apps apart: a digest of what an access token is granted to. */
	readonly app: string;
	/** The token that n8n has stored for this app, which may have expired; empty if there is none. */
	readonly accessToken: string;
	/** What must not be repeated in any message. */
	readonly secrets: readonly string[];
}

/**
 * Reads the credential that the node uses, as it is stored now.
 *
 * @param itemIndex the item for which to resolve expressions in its fields
 * @throws FieldError if a field of it can't be used, or if it is that of a public app that is not
 *   connected to an account, or was changed since
 */
export async function readCredential(
	context: ServiceContext,
	itemIndex: number,
): Promise<ServiceCredential> {
	const { parameters, credentials: references } = context.getNode();
	// Read as it is stored: it takes no expressions.
	const isPublicApp = parameters.authentication === PUBLIC_APP;
	const type = isPublicApp ? 'profilePageOAuth2Api' : 'profilePageApi';
	const data = await context.getCredentials(type, itemIndex);
	const id = references?.[type]?.id ?? '';
	const credential = withData({ type, id, isPublicApp }, data);
	if (isPublicApp) checkConnected(credential);
	return credential;
}

/**
 * Reads the credential for the first item, and finds out whether it may be another one for other
 * items, because its fields have expressions. n8n does not tell; but it looks at the input items only
 * to resolve an expression.
 */
export async function readFirstCredential(
	context: IExecuteFunctions,
): Promise<{ credential: ServiceCredential; isPerItem: boolean }> {
	let accesses = 0;
	const connectionInputData = new Proxy(context.getInputData(), {
		get(items, key) {
			accesses += 1;
			return Reflect.get(items, key) as unknown;
		},
	});
	const watched = Object.create(context, {
		connectionInputData: { value: connectionInputData },
	}) as IExecuteFunctions;
	const credential = await readCredential(watched, 0);
	// A public app has one account; n8n itself gives the addresses in its credential as expressions.
	return { credential, isPerItem: accesses > 0 && !credential.isPublicApp };
}

/** Whether the access token should be renewed before it is used. */
export function isExpired({ isPublicApp, data }: ServiceCredential): boolean {
	return isPublicApp ? isPublicTokenExpired(data) : isPrivateTokenExpired(data);
}

/** @returns the same credential with other contents, such as a new token */
export function withData(
	{ type, id, isPublicApp }: Pick<ServiceCredential, 'type' | 'id' | 'isPublicApp'>,
	data: ICredentialDataDecryptedObject,
): ServiceCredential {
	const tokens = isPublicApp ? readPublicTokens(data) : {};
	const accessToken = isPublicApp ? tokens.access_token : readPrivateToken(data);
	return {
		type,
		id,
		isPublicApp,
		data,
		app: isPublicApp ? publicAppDigest(data) : privateAppDigest(data),
		accessToken: typeof accessToken === 'string' ? accessToken : '',
		secrets: [data.clientSecret, accessToken, tokens.refresh_token].filter(
			(secret) => typeof secret === 'string',
		),
	};
}

function checkConnected({ accessToken, data }: ServiceCredential): void {
	if (!accessToken) {
		throw new FieldError(
			'Credential',
			'it is not connected to an account yet. Open it, connect it, and allow the access.',
		);
	}
	bindConnectedTokens(data);
}
