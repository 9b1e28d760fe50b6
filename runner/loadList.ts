import { LoadOptionsContext } from 'n8n-core';
import { type INode, type INodeListSearchItems, Workflow } from 'n8n-workflow';

import type { CredentialStore } from './credentialStore';
import type { LoadedPackage } from './loadPackage';
import { additionalData } from './runWorkflow';

/**
 * Loads the options of a field as the editor does: a replacement for the class
 * `DynamicNodeParametersService` of the package `n8n`
 * (`dist/services/dynamic-node-parameters.service.js`, version 2.40.7).
 *
 * @param name the name of the `loadOptions` or `listSearch` method
 * @param filter the search text of a resource locator; undefined selects `loadOptions`
 */
export async function loadList(
	{ nodeTypes }: LoadedPackage,
	store: CredentialStore,
	node: INode,
	name: string,
	filter?: string,
): Promise<INodeListSearchItems[]> {
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const services = { ...additionalData(store), currentNodeParameters: node.parameters };
	const context = new LoadOptionsContext(workflow, node, services, 'parameters');
	const { loadOptions, listSearch } = nodeTypes.getByNameAndVersion(node.type, node.typeVersion).methods ?? {};
	const entries =
		filter === undefined
			? await loadOptions?.[name]?.call(context)
			: (await listSearch?.[name]?.call(context, filter))?.results;
	if (!entries) throw new Error(`The node has no method ${name}`);
	return entries;
}
