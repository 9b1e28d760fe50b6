import {
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { authenticationField, credentials } from './authentication';
import { toMethods } from './execution/loadLists';
import { groupField, groupLists } from './resources/groups/groupField';
import { pollNewLinks } from './trigger/pollNewLinks';

export class ProfilePageTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Profile Page Trigger',
		name: 'profilePageTrigger',
		icon: { light: 'file:profilePage.svg', dark: 'file:profilePage.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: 'New Link',
		description: 'Starts the workflow when a link becomes public on the profile',
		defaults: { name: 'Profile Page Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials,
		properties: [
			authenticationField,
			{
				displayName: 'Event',
				name: 'event',
				type: 'options',
				noDataExpression: true,
				options: [
					{
						name: 'New Link',
						value: 'newLink',
						description: 'When a link becomes public, or moves into the group',
					},
				],
				default: 'newLink',
			},
			{
				displayName: 'Filters',
				name: 'filters',
				type: 'collection',
				placeholder: 'Add Filter',
				default: {},
				options: [groupField('groupsOrAny')],
			},
		],
	};

	methods = toMethods(groupLists);

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollNewLinks(this);
	}
}
