import type { IExecuteFunctions, INodeCredentialsDetails, INodeType } from 'n8n-workflow';

import { type CredentialStore, describePlainNode, runWorkflow } from '../../runner';
import { oneNodeWorkflow, profilePageNode, type Harness } from './harness';

const TYPE = 'test.httpRequest';

/** Builds a node that sends a request like n8n's HTTP Request node, with n8n's older request helper. */
const httpRequest = (uri: string, options: object): INodeType => ({
	description: describePlainNode('httpRequest', {
		credentials: [{ name: 'profilePageApi', required: true }],
	}),
	async execute(this: IExecuteFunctions) {
		const response: unknown = await this.helpers.requestWithAuthentication.call(this, 'profilePageApi', {
			uri,
			json: true,
			followRedirect: true,
			followAllRedirects: true,
			...options,
		});
		return [[{ json: { response: response as string }, pairedItem: { item: 0 } }]];
	},
});

/** Sends a request with a private app's credential, like n8n's HTTP Request node. */
export async function requestAsHttpRequestNode(
	harness: Harness,
	uri: string,
	{ store, reference }: { store: CredentialStore; reference: INodeCredentialsDetails },
	options: object = {},
) {
	const node = profilePageNode({}, { type: TYPE, credentials: { profilePageApi: reference } });
	const nodeType = httpRequest(uri, options);
	const { nodeTypes } = harness.loaded;
	const loaded = {
		...harness.loaded,
		nodeTypes: {
			...nodeTypes,
			getByNameAndVersion: (type: string, version?: number) =>
				type === TYPE ? nodeType : nodeTypes.getByNameAndVersion(type, version),
		},
	};
	const { resultData } = (await runWorkflow(loaded, store, oneNodeWorkflow(node))).data;
	return {
		error: resultData.error,
		json: resultData.runData[node.name]?.[0]?.data?.main?.[0]?.[0]?.json,
	};
}
