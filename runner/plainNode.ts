import { type INodeProperties, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';

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

/** Describes parameters by their names and defaults. */
export function plainFields(defaults: Readonly<Record<string, string | number | boolean | object>>): INodeProperties[] {
	return Object.entries(defaults).map(([name, value]) => ({
		displayName: name,
		name,
		type: typeof value === 'object' ? 'json' : (typeof value as 'string' | 'number' | 'boolean'),
		default: value as INodeProperties['default'],
	}));
}
