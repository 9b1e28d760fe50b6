import { BLOCKS_PATH } from '../sandbox/listsApi';
import type { Stored } from '../test/n8n/support/rest';
import { type Node, profilePage } from '../test/n8n/support/workflows';
import { PATH } from './baseline/sendOrders';
import { baselineType } from './baselinePackage';
import type { Harness } from './harness';
import type { ServiceAddress } from './service';

/** Returns a node with a new credential that has no token yet. */
export type MakeNode = (harness: Harness) => Promise<Node>;

/** The parameters that read a page from each item. */
export const FROM_ITEM = { pageId: '={{ $json.pageId }}', blockIdsValue: '={{ $json.ids }}' };

/** This package's node; without a batch size, it has its default. */
function ours(parameters: object, batchSize?: number, options: object = {}): MakeNode {
	return async (harness) =>
		profilePage(await addPrivateApp(harness), {
			...parameters,
			options: { ...(batchSize !== undefined && batching(batchSize)), ...options },
		});
}

/** Reorder Blocks with one page per item. */
export const reorderByValue = (batchSize?: number, options: object = {}): MakeNode =>
	ours({ resource: 'blocks', operation: 'reorder', blockOrder: 'value', ...FROM_ITEM }, batchSize, options);

/** Move Blocks, which reads the order of each page and reverses it. */
export const reverseCurrentOrder = ours({
	resource: 'blocks',
	operation: 'move',
	arrangement: 'reverse',
	pageId: FROM_ITEM.pageId,
});

/** Reorder Blocks with one block per item. */
export const reorderByItems = ours({
	resource: 'blocks',
	operation: 'reorder',
	blockOrder: 'inputItems',
	pageId: FROM_ITEM.pageId,
	blockIdField: 'id',
});

export const createLinks = (ifExists: string): MakeNode =>
	ours({ resource: 'links', operation: 'create', title: 'A link', url: '={{ $json.url }}', ifExists });

/** The option of this package's node and of the HTTP Request node. */
export function batching(batchSize: number, batchInterval = 0): object {
	return { batching: { batch: { batchSize, batchInterval } } };
}

/** The fields of a request that reorders the page of an item, and of one that reads it. */
const REORDER_FIELDS = {
	parameters: [
		{ name: 'page_id', value: FROM_ITEM.pageId },
		{
			name: 'blocks',
			value: '={{ JSON.stringify($json.ids.map((id, position) => ({ id, position }))) }}',
		},
	],
};
const READ_FIELDS = { parameters: [{ name: 'page_id', value: FROM_ITEM.pageId }] };

/** Send Request with one request per item. */
export const sendRead = (batchSize?: number): MakeNode =>
	ours(
		{ resource: 'api', operation: 'request', method: 'GET', path: BLOCKS_PATH, queryParameters: READ_FIELDS },
		batchSize,
	);

/** n8n's HTTP Request node with its defaults and n8n's generic OAuth2 credential. */
function httpRequest(path: string, parameters: object, options: object = {}): MakeNode {
	return async (harness) => {
		const { address } = harness;
		return {
			name: 'HTTP Request',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.5,
			parameters: {
				url: `${address.baseUrl}${path}`,
				authentication: 'genericCredentialType',
				genericAuthType: 'oAuth2Api',
				...parameters,
				options,
			},
			credentials: {
				oAuth2Api: await addCredential(harness, 'oAuth2Api', genericCredential(address)),
			},
		};
	};
}

const HTTP_REORDER = {
	method: 'POST',
	sendBody: true,
	contentType: 'form-urlencoded',
	bodyParameters: REORDER_FIELDS,
};

export const httpReorder = httpRequest(PATH, HTTP_REORDER);

export const httpReorderInBatches = (batchSize: number, batchInterval: number): MakeNode =>
	httpRequest(PATH, HTTP_REORDER, batching(batchSize, batchInterval));

export const httpRead = httpRequest(BLOCKS_PATH, { sendQuery: true, queryParameters: READ_FIELDS });

export const httpListLinks = httpRequest('/oauth/v1/lnk/list', {});

/** The same node with Retry On Fail, with n8n's defaults: 3 tries, 1 second apart. */
export function retried(makeNode: MakeNode): MakeNode {
	return async (harness) => ({ ...(await makeNode(harness)), retryOnFail: true });
}

/** The same node with Continue on Fail: its other items go on. */
export function continuedOnFail(makeNode: MakeNode): MakeNode {
	return async (harness) => ({
		...(await makeNode(harness)),
		onError: 'continueRegularOutput',
	});
}

function genericCredential({ baseUrl, clientId, clientSecret }: ServiceAddress): object {
	return {
		grantType: 'clientCredentials',
		accessTokenUrl: `${baseUrl}/oauth/token`,
		clientId,
		clientSecret,
		scope: '',
		authentication: 'header',
	};
}

/** n8n's request helper alone. */
export function baseline(concurrency: number): MakeNode {
	return async ({ address, accessToken }) =>
		await Promise.resolve({
			name: 'Baseline',
			type: baselineType,
			parameters: { baseUrl: address.baseUrl, accessToken, concurrency },
		});
}

/** Stores a credential of this package without a token. */
export async function addPrivateApp(harness: Harness): Promise<Stored> {
	const { baseUrl, clientId, clientSecret } = harness.address;
	const data = { baseUrl, clientId, clientSecret, blocksPath: BLOCKS_PATH };
	return await addCredential(harness, 'profilePageApi', data);
}

async function addCredential({ n8n }: Harness, type: string, data: object): Promise<Stored> {
	const { id, name } = await n8n.rest.send<Stored>('POST', '/credentials', {
		name: 'Bench',
		type,
		data,
	});
	return { id, name };
}
