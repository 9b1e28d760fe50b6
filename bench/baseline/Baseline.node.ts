import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

import { sendBare, type SendOptions } from './bareClient';
import { type Blocks, headersWith, type Order, PATH, sendOrders } from './sendOrders';

/**
 * How the orders are sent: with the bare client, or with n8n's request helper, be it all at once or a few in each turn
 * of the event loop. With `none`, they are not sent, and n8n evaluates the expressions that read them.
 */
export type Sender = 'none' | 'bareClient' | 'helper' | 'helperInTurns';

/** As many as this package's node starts. */
const STARTS_PER_TURN = 8;

const textField = (displayName: string, name: string, value = ''): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	default: value,
});

/** Reads or sends the same orders as Reorder Blocks, without any code of this package. */
export class Baseline implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Baseline',
		name: 'baseline',
		group: ['transform'],
		version: 1,
		description: 'The least a node has to do',
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
		const sender = this.getNodeParameter('sender', 0) as Sender;
		if (sender === 'none') return [[{ json: { read: readByExpressions(this).length } }]];

		const orders = this.getInputData().map(({ json }) => json as unknown as Order);
		const baseUrl = this.getNodeParameter('baseUrl', 0) as string;
		const accessToken = this.getNodeParameter('accessToken', 0) as string;
		const concurrency = this.getNodeParameter('concurrency', 0) as number;
		const options = { baseUrl, accessToken, concurrency, orders };
		if (sender === 'bareClient') return [toItems(await sendBare(options))];
		return [toItems(await sendByHelper(this, options, sender === 'helper' ? Infinity : STARTS_PER_TURN))];
	}
}

function readByExpressions(context: IExecuteFunctions): Order[] {
	return context.getInputData().map((_, itemIndex) => ({
		pageId: context.getNodeParameter('pageId', itemIndex, '') as string,
		ids: context.getNodeParameter('blockIdsValue', itemIndex, '') as unknown as string[],
	}));
}

/** Sends with n8n's request helper and the options of Reorder Blocks, but with a given token. */
async function sendByHelper(
	{ helpers }: IExecuteFunctions,
	{ baseUrl, accessToken, concurrency, orders }: SendOptions,
	startsPerTurn: number,
): Promise<Blocks[]> {
	const send = async (form: string) => {
		const response: unknown = await helpers.httpRequest({
			method: 'POST',
			url: `${baseUrl}${PATH}`,
			headers: headersWith(accessToken),
			body: form,
			encoding: 'text',
			disableFollowRedirect: true,
		});
		return response as string;
	};
	return await sendOrders(orders, concurrency, send, startsPerTurn);
}

/** Returns one item per block, like Reorder Blocks. */
function toItems(pages: readonly Blocks[]): INodeExecutionData[] {
	return pages.flatMap((blocks, item) => blocks.map((json) => ({ json, pairedItem: { item } })));
}
