import { BLOCKS_PATH } from '../sandbox/listsApi';
import type { Stored } from '../test/n8n/support/rest';
import { type Node, profilePage } from '../test/n8n/support/workflows';
import type { Sender } from './baseline/Baseline.node';
import { PATH } from './baseline/sendOrders';
import { baselineType } from './baselinePackage';
import type { Harness } from './harness';
import type { ServiceAddress } from './service';

/** Returns a node with a new credential that has no token yet. */
export type MakeNode = (harness: Harness) => Promise<Node>;

/** The parameters that read a page from each item. */
const FROM_ITEM = { pageId: '={{ $json.pageId }}', blockIdsValue: '={{ $json.ids }}' };

/** The same with expressions that n8n has to evaluate because they are more than a path. */
export const EVALUATED = {
	pageId: '={{ $json.pageId.trim() }}',
	blockIdsValue: '={{ $json.ids.slice() }}',
};

/** This package's node, with one page per item. */
export function reorderByValue(batchSize: number, parameters: object = FROM_ITEM, options: object = {}): MakeNode {
	return async (harness) =>
		profilePage(await addPrivateApp(harness), {
			resource: 'blocks',
			operation: 'reorder',
			blockOrder: 'value',
			...parameters,
			options: { ...batching(batchSize), ...options },
		});
}

/** This package's node, which reads the order of each page and reverses it. */
export function reverseCurrentOrder(batchSize: number): MakeNode {
	return async (harness) =>
		profilePage(await addPrivateApp(harness), {
			resource: 'blocks',
			operation: 'reorder',
			blockOrder: 'current',
			currentArrangement: 'reverse',
			pageId: FROM_ITEM.pageId,
			options: batching(batchSize),
		});
}

/** This package's node, with one block per item. */
export function reorderByItems(batchSize: number): MakeNode {
	return async (harness) =>
		profilePage(await addPrivateApp(harness), {
			resource: 'blocks',
			operation: 'reorder',
			blockOrder: 'inputItems',
			pageId: FROM_ITEM.pageId,
			blockIdField: 'id',
			options: batching(batchSize),
		});
}

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

/** Send Request of this package's node, with one request per item. */
function sendRequest(parameters: object, batchSize: number): MakeNode {
	return async (harness) =>
		profilePage(await addPrivateApp(harness), {
			resource: 'api',
			operation: 'request',
			...parameters,
			options: batching(batchSize),
		});
}

export const sendReorder = (batchSize: number): MakeNode =>
	sendRequest({ method: 'POST', path: PATH, bodyParameters: REORDER_FIELDS }, batchSize);

export const sendRead = (batchSize: number): MakeNode =>
	sendRequest({ method: 'GET', path: BLOCKS_PATH, queryParameters: READ_FIELDS }, batchSize);

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

export function baseline(sender: Sender, concurrency: number): MakeNode {
	return async ({ address, accessToken }) =>
		await Promise.resolve({
			name: 'Baseline',
			type: baselineType,
			parameters: { ...FROM_ITEM, sender, baseUrl: address.baseUrl, accessToken, concurrency },
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
