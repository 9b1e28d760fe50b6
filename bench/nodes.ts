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
export function reorderByValue(batchSize: number, parameters: object = FROM_ITEM): MakeNode {
	return async (harness) =>
		profilePage(await addCredential(harness, 'profilePageApi', harness.address), {
			resource: 'blocks',
			operation: 'reorder',
			blockOrder: 'value',
			...parameters,
			options: batching(batchSize),
		});
}

/** This package's node, with one block per item. */
export function reorderByItems(batchSize: number): MakeNode {
	return async (harness) =>
		profilePage(await addCredential(harness, 'profilePageApi', harness.address), {
			resource: 'blocks',
			operation: 'reorder',
			blockOrder: 'inputItems',
			pageId: FROM_ITEM.pageId,
			blockIdField: 'id',
			options: batching(batchSize),
		});
}

function batching(batchSize: number): object {
	return { batching: { batch: { batchSize, batchInterval: 0 } } };
}

/** n8n's HTTP Request node with its defaults and n8n's generic OAuth2 credential. */
export const httpRequest: MakeNode = async (harness) => {
	const { address } = harness;
	return {
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.5,
		parameters: {
			method: 'POST',
			url: `${address.baseUrl}${PATH}`,
			authentication: 'genericCredentialType',
			genericAuthType: 'oAuth2Api',
			sendBody: true,
			contentType: 'form-urlencoded',
			bodyParameters: {
				parameters: [
					{ name: 'page_id', value: FROM_ITEM.pageId },
					{
						name: 'blocks',
						value: '={{ JSON.stringify($json.ids.map((id, position) => ({ id, position }))) }}',
					},
				],
			},
			options: {},
		},
		credentials: {
			oAuth2Api: await addCredential(harness, 'oAuth2Api', genericCredential(address)),
		},
	};
};

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

async function addCredential({ n8n }: Harness, type: string, data: object): Promise<Stored> {
	const { id, name } = await n8n.rest.send<Stored>('POST', '/credentials', {
		name: 'Bench',
		type,
		data,
	});
	return { id, name };
}
