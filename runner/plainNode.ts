import { type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';

/** The description of a node without fields, with one input and one output. */
export function describePlainNode(
	name: string,
	differences: Partial<INodeTypeDescription> = {},
): INodeTypeDescription {
	return {
		displayName: name,
		name,
		group: ['transform'],
		version: 1,
		description: '',
		defaults: {},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
		...differences,
	};
}
