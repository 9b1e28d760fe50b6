import { type INodeType, type INodeTypeDescription, type IPollFunctions, NodeConnectionTypes } from 'n8n-workflow';

import { authenticationField, credentials } from './n8n/credential';
import { toListMethods } from './n8n/lists';
import { groupChoices, groupFilters } from './resources/groups/groupField';
import { pollNewLinks } from './trigger/pollNewLinks';

const FETCH =
	'<b>While building your workflow</b>, click <b>Fetch Test Event</b>. It returns the newest public link, whether it is new or not.<br /><br />';

export class ProfilePageTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Profile Page Trigger',
		name: 'profilePageTrigger',
		icon: { light: 'file:profilePage.svg', dark: 'file:profilePage.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: 'New Link',
		// n8n shows it for both nodes of the package, which share an entry in its node panel.
		description: 'Reorder the blocks of a link-in-bio page, manage its links, and start workflows for new links',
		defaults: { name: 'Profile Page Trigger' },
		polling: true,
		triggerPanel: {
			header: 'Fetch the newest public link',
			executionsHelp: {
				inactive: `${FETCH}<b>Once you're happy with your workflow</b>, publish it. Then n8n checks for new links at the poll times, and executes the workflow for those it finds.`,
				active: `${FETCH}<b>Your workflow also executes automatically</b>: n8n checks for new links at the poll times, and executes the workflow for those it finds. These executions appear in the <a data-key="executions">executions list</a>.`,
			},
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials,
		properties: [authenticationField, groupFilters.shown],
	};

	methods = toListMethods(groupChoices);

	async poll(this: IPollFunctions) {
		return await pollNewLinks(this);
	}
}
