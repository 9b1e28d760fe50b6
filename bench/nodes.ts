import { BLOCKS_PATH } from '../sandbox/listsApi';
import type { Stored } from '../test/n8n/support/rest';
import { type Node, profilePage } from '../test/n8n/support/workflows';
import type { Harness } from './harness';

/** Builds a node with a new credential that has no token yet. */
export type MakeNode = (harness: Harness) => Promise<Node>;

const PAGE_ID = '={{ $json.pageId }}';

/** This package's node; without a batch size, it has its default. */
const ours =
	(parameters: object, batchSize?: number): MakeNode =>
	async (harness) => {
		const { baseUrl, clientId, clientSecret } = harness.address;
		const credential = await addCredential(harness, 'profilePageApi', { baseUrl, clientId, clientSecret });
		const options = batchSize === undefined ? {} : { batchSize };
		return profilePage(credential, { ...parameters, options });
	};

/** Reorder Blocks with one page per item. */
export const reorder = (batchSize?: number): MakeNode =>
	ours(
		{
			resource: 'blocks',
			operation: 'reorder',
			pageId: PAGE_ID,
			blockIds: '={{ $json.ids }}',
		},
		batchSize,
	);

/** Send Request with one GET request per item. */
export const read = (batchSize?: number): MakeNode =>
	ours(
		{ resource: 'api', operation: 'request', method: 'GET', path: `=${BLOCKS_PATH}?page_id={{ $json.pageId }}` },
		batchSize,
	);

/** n8n's HTTP Request node with its defaults and n8n's generic OAuth2 credential. */
const httpRequest =
	(path: string, parameters: object): MakeNode =>
	async (harness) => {
		const { baseUrl, clientId, clientSecret } = harness.address;
		const credential = await addCredential(harness, 'oAuth2Api', {
			grantType: 'clientCredentials',
			accessTokenUrl: `${baseUrl}/oauth/token`,
			clientId,
			clientSecret,
			scope: '',
			authentication: 'header',
		});
		const authentication = { authentication: 'genericCredentialType', genericAuthType: 'oAuth2Api' };
		return {
			name: 'HTTP Request',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.5,
			parameters: { url: `${baseUrl}${path}`, ...authentication, ...parameters },
			credentials: { oAuth2Api: credential },
		};
	};

/** Sends the same request as Reorder Blocks. */
export const httpReorder = httpRequest('/oauth/v1/page/blocks/sort', {
	method: 'POST',
	sendBody: true,
	contentType: 'form-urlencoded',
	bodyParameters: {
		parameters: [
			{ name: 'page_id', value: PAGE_ID },
			{ name: 'blocks', value: '={{ JSON.stringify($json.ids.map((id, position) => ({ id, position }))) }}' },
		],
	},
});

export const httpRead = httpRequest(BLOCKS_PATH, {
	sendQuery: true,
	queryParameters: { parameters: [{ name: 'page_id', value: PAGE_ID }] },
});

async function addCredential({ n8n }: Harness, type: string, data: object): Promise<Stored> {
	const { id, name } = await n8n.rest.send<Stored>('POST', '/credentials', { name: 'Bench', type, data });
	return { id, name };
}
