import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { Item } from '../../nodes/ProfilePage/fields/item';

type Parameters = Record<string, unknown>;

/** A node that runs, without n8n. */
interface FakeNode {
	/** What was entered in the fields, by name. */
	entered?: Parameters;
	/** What n8n returns for the fields, by name; what was entered if left out. */
	values?: Parameters;
	input?: INodeExecutionData[];
	type?: string;
	/** Other parts of n8n's context. */
	context?: object;
}

/** Returns the input items of a node, with its fields. */
export function itemsOf({
	entered = {},
	values = entered,
	input = [{ json: {} }],
	type = 'profilePage',
	context,
}: FakeNode): Item[] {
	const getNodeParameter = (
		name: string,
		_index: number,
		fallback: unknown,
		options?: { rawExpressions?: boolean },
	): unknown => {
		const parameters = options?.rawExpressions ? entered : values;
		return Object.hasOwn(parameters, name) ? parameters[name] : fallback;
	};
	const node = {
		getNode: () => ({ type }),
		getInputData: () => input,
		getNodeParameter,
		...context,
	};
	return input.map(({ json }, index) => new Item(node as unknown as IExecuteFunctions, index, json));
}

/** Returns the only input item of a node. */
export function itemOf(node: FakeNode): Item {
	const [item] = itemsOf(node);
	if (!item) throw new Error('The node has no input item');
	return item;
}
