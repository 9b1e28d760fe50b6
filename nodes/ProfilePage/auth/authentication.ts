import type { INodeCredentialDescription, INodeProperties } from 'n8n-workflow';

import { privateApp } from './privateApp';
import { publicApp } from './publicApp';

export const authenticationField: INodeProperties = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Private App',
			value: 'clientCredentials',
			description: 'Act for the account that the app belongs to, with its client ID and secret',
		},
		{
			name: 'Public App',
			value: 'oAuth2',
			description: 'Act for the account that signs in to the service and grants access',
		},
	],
	default: 'clientCredentials',
};

/** The credentials of the node, each shown for its kind of app. */
export const credentials: INodeCredentialDescription[] = [privateApp, publicApp].map(
	({ credentialType, authentication }) => ({
		name: credentialType,
		required: true,
		displayOptions: { show: { authentication: [authentication] } },
	}),
);
