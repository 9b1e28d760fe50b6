import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

import { sendBare, type Sending } from './bareClient';
import { type Blocks, headersWith, PATH, sendOrders } from './sendOrders';

/** Who sends the orders: nobody, a client that keeps its connections, or n8n's request helper. */
export type Sender = 'none' | 'bareClient' | 'helper';

const textField = (displayName: string, name: string, value = ''): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	default: value,
});

/** Reads what Reorder Blocks reads, and sends it with nothing of this project around. */
export class Baseline implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Baseline',
		name: 'baseline',
		group: ['transform'],
		version: 1,
		description: 'The least that a node can do',
		defaults: { name: 'Baseline' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [
			textField('Page ID', 'pageId'),
			textField('Block IDs', 'blockIdsValue'),
			textField('Sender', 'sender', 'none'),
			textField('Base URL', 'baseUrl'),
			textField('Access Token', 'accessToken'),
			{ displayName: 'Concurrency', name: 'concurrency', type: 'number', default: 1 },
		],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const orders = this.getInputData().map((_, itemIndex) => ({
			pageId: this.getNodeParameter('pageId', itemIndex, '') as string,
			ids: this.getNodeParameter('blockIdsValue', itemIndex, '') as unknown as string[],
		}));
		const baseUrl = this.getNodeParameter('baseUrl', 0) as string;
		const accessToken = this.getNodeParameter('accessToken', 0) as string;
		const concurrency = this.getNodeParameter('concurrency', 0) as number;
		const sending = { baseUrl, accessToken, concurrency, orders };

		const sender = this.getNodeParameter('sender', 0) as Sender;
		if (sender === 'none') return [[{ json: { read: orders.length } }]];
		return [toItems(await (sender === 'helper' ? sendByHelper(this, sending) : sendBare(sending)))];
	}
}

/** Sends by n8n's request helper, with the same options as Reorder Blocks, but a token that is given. */
async function sendByHelper(
	{ helpers }: IExecuteFunctions,
	{ baseUrl, accessToken, concurrency, orders }: Sending,
): Promise<Blocks[]> {
	return await sendOrders(orders, concurrency, async (form) => {
		const answer: unknown = await helpers.httpRequest({
			method: 'POST',
			url: `${baseUrl}${PATH}`,
			headers: headersWith(accessToken),
			body: form,
			encoding: 'text',
			disableFollowRedirect: true,
		});
		return answer as string;
	});
}

/** One item for each block, as Reorder Blocks puts them out. */
function toItems(answers: readonly Blocks[]): INodeExecutionData[] {
	return answers.flatMap((blocks, item) => blocks.map((json) => ({ json, pairedItem: { item } })));
}
