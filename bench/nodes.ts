import type { Stored } from '../test/n8n/support/rest';
import { type Node, profilePage } from '../test/n8n/support/workflows';
import type { Sender } from './baseline/Baseline.node';
import { PATH } from './baseline/sendOrders';
import { baselineType } from './baselinePackage';
import type { ServiceAddress } from './service';
import type { Harness } from './harness';

/** Makes a node, with a credential of its own that has no token yet if it gets tokens by itself. */
export type MakeNode = (harness: Harness) => Promise<Node>;

/** The fields that read a page from each item. */
const FROM_ITEM = { pageId: '={{ $json.pageId }}', blockIdsValue: '={{ $json.ids }}' };

/** The same as expressions that are more than a path, so that n8n has to evaluate them. */
export const EVALUATED = {
	pageId: '={{ $json.pageId.trim() }}',
	blockIdsValue: '={{ $json.ids.slice() }}',
};

/**
 * This package's node, with a page in each item.
 *
 * @param fields how it reads the page
 */
export function reorderByValue(batchSize: number, fields: object = FROM_ITEM): MakeNode {
	return async (harness) =>
		profilePage(await addCredential(harness, 'profilePageApi', harness.address), {
			resource: 'blocks',
			operation: 'reorder',
			blockOrder: 'value',
			...fields,
			options: batching(batchSize),
		});
}

/** This package's node, with a block in each item. */
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

/** n8n's own HTTP Request node as it is by default, with n8n's own OAuth2 credential. */
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

/** A node that does the least. */
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
