import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { authenticationField, credentials } from './n8n/credential';
import { toListMethods } from './n8n/lists';
import { operations, properties, subtitle } from './resources';
import { groupChoices } from './resources/groups/groupField';
import { linkChoices } from './resources/links/linkFields';
import { pageChoices } from './resources/pages/pageField';
import { runOperation } from './run/run';
import { type Failure, nodeFailure } from './shared/failure';
import { asText, quotable } from './shared/values';

export class ProfilePage implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Profile Page',
		name: 'profilePage',
		icon: { light: 'file:profilePage.svg', dark: 'file:profilePage.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle,
		description: 'Read a profile, reorder the blocks on its pages, and manage its links',
		defaults: { name: 'Profile Page' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials,
		properties: [authenticationField, ...properties],
	};

	methods = toListMethods({ ...groupChoices, ...linkChoices, ...pageChoices });

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const resource = asText(this.getNodeParameter('resource', 0, ''));
		const name = asText(this.getNodeParameter('operation', 0, ''));
		const unsupported = () => {
			throw unsupportedOperation(resource, name);
		};
		return [await runOperation(this, operations.get(`${resource}:${name}`) ?? { plan: unsupported })];
	}
}

/** A workflow that was written by hand or by a model may contain anything. n8n's own Custom API Call is no operation of the node. */
function unsupportedOperation(resource: string, name: string): Failure {
	return nodeFailure(
		`Operation: "${quotable(name)}" is not supported for the resource "${quotable(resource)}"`,
		'Choose one from the list. To call another endpoint of the service, set Resource to API and Operation to Send Request.',
	);
}
