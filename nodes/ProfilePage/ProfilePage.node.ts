import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { authenticationField, credentials } from './n8n/credential';
import { toErrorItem, toNodeError } from './n8n/errors';
import { toListMethods } from './n8n/lists';
import { operations, properties, subtitle } from './resources';
import { groupChoices } from './resources/groups/groupField';
import { linkChoices } from './resources/links/linkFields';
import { pageChoices } from './resources/pages/pageField';
import { runOperation } from './run/run';
import { type Failure, nodeFailure } from './shared/failure';
import { quotable } from './shared/values';

/** n8n adds it to the lists of resources and operations, for the HTTP Request node. */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

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
		const resource = toName(this.getNodeParameter('resource', 0, ''));
		const name = toName(this.getNodeParameter('operation', 0, ''));
		const operation = operations.get(`${resource}:${name}`);
		if (operation) return [await runOperation(this, operation)];
		const failure = unknownOperation(resource, name);
		if (!this.continueOnFail()) throw toNodeError(this.getNode(), failure);
		return [this.getInputData().map((_, index) => toErrorItem(failure, index))];
	}
}

function unknownOperation(resource: string, name: string): Failure {
	const isCustom = [resource, name].includes(CUSTOM_API_CALL);
	const problem = isCustom
		? 'Custom API Call is not an operation of this node'
		: `Operation: "${quotable(name)}" is not supported for the resource "${quotable(resource)}"`;
	const advice =
		'Choose one from the list. To call another endpoint of the service, set Resource to API and Operation to Send Request.';
	return nodeFailure(problem, advice);
}

/** A workflow that was written by hand or by a model may contain anything. An expression that finds nothing has no JSON. */
function toName(value: unknown): string {
	const json = JSON.stringify(value) as string | undefined;
	return typeof value === 'string' ? value : (json ?? 'undefined');
}
