import { type INodeProperties, updateDisplayOptions } from 'n8n-workflow';

import { sendRequest } from './api/sendRequest';
import { getAllBlocks } from './blocks/getAll';
import { moveBlocks } from './blocks/move';
import { reorderBlocks } from './blocks/reorder';
import { getAllGroups } from './groups/getAll';
import { createLink } from './links/create';
import { deleteLink } from './links/delete';
import { getAllLinks } from './links/getAll';
import { updateLink } from './links/update';
import { getInfo } from './me/getInfo';
import type { Operation, Resource } from './operation';
import { commonFields } from './options';
import { getAllPages } from './pages/getAll';

const resources: readonly [Resource, ...Resource[]] = [
	{
		shown: {
			name: 'API',
			value: 'api',
			description: "Any other request to the service. n8n's Custom API Call leads to the HTTP Request node instead.",
		},
		operations: [sendRequest],
	},
	{
		shown: { name: 'Blocks', value: 'blocks', description: 'What a page consists of, such as titles and icons' },
		operations: [getAllBlocks, moveBlocks, reorderBlocks],
		defaultOperation: reorderBlocks.shown.value,
	},
	{ shown: { name: 'Groups', value: 'groups', description: 'Sets of links' }, operations: [getAllGroups] },
	{
		shown: { name: 'Links', value: 'links', description: 'What visitors of the profile open' },
		operations: [createLink, deleteLink, getAllLinks, updateLink],
	},
	{ shown: { name: 'Me', value: 'me', description: 'The profile itself' }, operations: [getInfo] },
	{
		shown: { name: 'Pages', value: 'pages', description: 'The pages of the profile, each with its blocks' },
		operations: [getAllPages],
	},
];

/** n8n does not store defaults: saved workflows depend on this default, and on those of the operations. */
const DEFAULT_RESOURCE = 'blocks';

/** The operations with their resources, and keys such as "links:getAll". */
const keyed = resources.flatMap(({ shown: resource, operations }) =>
	operations.map((operation) => ({ key: `${resource.value}:${operation.shown.value}`, resource, operation })),
);

export const properties: INodeProperties[] = [
	selectorField('Resource', 'resource', resources, DEFAULT_RESOURCE),
	...resources.flatMap(({ shown, operations, defaultOperation }) =>
		updateDisplayOptions({ show: { resource: [shown.value] } }, [
			selectorField('Operation', 'operation', operations, defaultOperation),
		]),
	),
	...keyed.flatMap(({ resource, operation: { shown, fields, hasPreview } }) =>
		updateDisplayOptions({ show: { resource: [resource.value], operation: [shown.value] } }, [
			...fields.map((field) => field.shown),
			...commonFields(hasPreview),
		]),
	),
];

export const operations = new Map(keyed.map(({ key, operation }) => [key, operation]));

/** The texts below the node, such as "Get Many: Links". "Reorder Blocks" names its resource already. */
const subtitles = Object.fromEntries(
	keyed.map(({ key, resource: { name: resource }, operation: { shown } }) => [
		key,
		shown.name.includes(resource) ? shown.name : `${shown.name}: ${resource}`,
	]),
);

export const subtitle = `={{ (${JSON.stringify(subtitles)})[$parameter["resource"] + ":" + $parameter["operation"]] }}`;

function selectorField(
	displayName: string,
	name: string,
	choices: readonly [Resource | Operation, ...Array<Resource | Operation>],
	defaultValue = choices[0].shown.value,
): INodeProperties {
	const options = choices.map(({ shown }) => shown);
	return { displayName, name, type: 'options', noDataExpression: true, options, default: defaultValue };
}
