import type { INodeProperties } from 'n8n-workflow';

import type { ChoiceList, Operation, Resource } from '../operation';
import { optionsField } from '../options';
import { blocks } from './blocks';
import { groups } from './groups';
import { links } from './links';
import { me } from './me';

/** In alphabetical order. */
const resources: readonly [Resource, ...Resource[]] = [blocks, groups, links, me];

const firstResource = resources[0].option.value;

/** The fields of the node, as the editor shows them. */
export const properties: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ option }) => option),
		default: firstResource,
	},
	...resources.map(describeOperations),
	...resources.flatMap(describeFields),
];

/** The lists that the editor loads for these fields, by their names. */
export const lists: Readonly<Record<string, ChoiceList>> = Object.fromEntries(
	resources.flatMap((resource) => Object.entries(resource.lists ?? {})),
);

/** @returns what the node is to do, or undefined if there is no such operation */
export function findOperation(resource: string, operation: string): Operation | undefined {
	return resources
		.find(({ option }) => option.value === resource)
		?.operations.find(({ option }) => option.value === operation);
}

function describeOperations({ option, operations }: Resource): INodeProperties {
	const first = operations[0].option.value;
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [option.value] } },
		options: operations.map((operation) => operation.option),
		default: first,
	};
}

/** Each field is shown for its own operation, and where its own conditions hold. */
function describeFields(resource: Resource): INodeProperties[] {
	return resource.operations.flatMap((operation) =>
		[...operation.fields, optionsField].map((field) => ({
			...field,
			displayOptions: {
				...field.displayOptions,
				show: {
					resource: [resource.option.value],
					operation: [operation.option.value],
					...field.displayOptions?.show,
				},
			},
		})),
	);
}
