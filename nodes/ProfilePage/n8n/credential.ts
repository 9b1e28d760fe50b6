import type { IExecuteFunctions, INodeCredentialDescription, INodeProperties } from 'n8n-workflow';

import { readBaseUrl } from '../service/address';
import { invalid } from '../shared/failure';
import { type Credential, digestOf } from './app';
import type { NodeContext } from './context';
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

export const credentials: INodeCredentialDescription[] = [privateApp, publicApp].map((app) => ({
	name: app.credentialType,
	required: true,
	displayOptions: { show: { authentication: [app.authentication] } },
}));

/**
 * Reads the credential of a node, with its expressions resolved for an item.
 *
 * @throws Failure if a field cannot be used, or no account is connected; what n8n throws if it cannot read it
 */
export async function loadCredential(context: NodeContext, itemIndex = 0): Promise<Credential> {
	const { parameters, credentials: chosen } = context.getNode();
	// This parameter takes no expressions.
	const app = parameters.authentication === publicApp.authentication ? publicApp : privateApp;
	const data = await context.getCredentials(app.credentialType, itemIndex);
	const baseUrl = readBaseUrl(data.baseUrl);
	const id = digestOf(app.credentialType, chosen?.[app.credentialType]?.id, baseUrl, data.clientId);
	return { app, data, baseUrl, id, token: app.readToken(data) };
}

/**
 * Reads the credential of a node, with its expressions resolved for the first item, as n8n's own nodes do. They must give
 * the same account for all items; only the last one is compared.
 *
 * @throws Failure as {@link loadCredential}, or if the last item has another account
 */
export async function loadCommonCredential(context: IExecuteFunctions): Promise<Credential> {
	const credential = await loadCredential(context);
	const lastItem = context.getInputData().length - 1;
	const last = lastItem > 0 ? await loadCredential(context, lastItem) : credential;
	if (last.id === credential.id && last.data.clientSecret === credential.data.clientSecret) return credential;
	const problem = 'its expressions give different accounts for the first and the last item';
	throw invalid('Credential', problem, 'Use one credential for each account.');
}
