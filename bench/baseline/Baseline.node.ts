import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

import { headersWith, type Order, PATH, sendOrders } from './sendOrders';

const textField = (displayName: string, name: string): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	default: '',
});

/** Sends the same orders as Reorder Blocks, with n8n's request helper and a given token, without any code of this package. */
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
			textField('Base URL', 'baseUrl'),
			textField('Access Token', 'accessToken'),
			{ displayName: 'Concurrency', name: 'concurrency', type: 'number', default: 1 },
		],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const orders = this.getInputData().map(({ json }) => json as unknown as Order);
		const baseUrl = this.getNodeParameter('baseUrl', 0) as string;
		const accessToken = this.getNodeParameter('accessToken', 0) as string;
		const concurrency = this.getNodeParameter('concurrency', 0) as number;
		const pages = await sendOrders(orders, concurrency, async (form) => {
			const response: unknown = await this.helpers.httpRequest({
				method: 'POST',
				url: `${baseUrl}${PATH}`,
				headers: headersWith(accessToken),
				body: form,
				encoding: 'text',
				disableFollowRedirect: true,
			});
			return response as string;
		});
		// One item per block, like Reorder Blocks.
		return [pages.flatMap((blocks, item) => blocks.map((json) => ({ json, pairedItem: { item } })))];
	}
}
