import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
	NodeOperationError,
} from 'n8n-workflow';

import { authenticationField, credentials } from './authentication';
import { findOperation, lists, properties } from './resources';
import { toMethods } from './execution/loadLists';
import { runOperation } from './execution/runOperation';

/** The node as n8n shows it. What it can do stands in `resources/`. */
export class ProfilePage implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Profile Page',
		name: 'profilePage',
		icon: { light: 'file:profilePage.svg', dark: 'file:profilePage.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Read a profile, set the order of the blocks on its pages, and manage its links',
		defaults: { name: 'Profile Page' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials,
		properties: [authenticationField, ...properties],
	};

	methods = toMethods(lists);

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const resource = this.getNodeParameter('resource', 0);
		const name = this.getNodeParameter('operation', 0, '');
		const operation = findOperation(resource, name);
		if (!operation) {
			throw new NodeOperationError(
				this.getNode(),
				`Operation: this node has none called "${name}" for "${resource}". Choose one from the list; for any other call of the service, use the HTTP Request node with the credential of this node.`,
			);
		}
		return [await runOperation(this, operation)];
	}
}
