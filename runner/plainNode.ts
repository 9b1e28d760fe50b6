import { type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';

/** Describes a node with one input, one output and no parameters, except for the overrides. */
export function describePlainNode(name: string, overrides: Partial<INodeTypeDescription> = {}): INodeTypeDescription {
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
		...overrides,
	};
}
