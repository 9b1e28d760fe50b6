import type { Stored } from '../support/rest';
import {
	chain,
	noOperation,
	profilePage,
	profilePageTrigger,
	scheduleTrigger,
	type Workflow,
} from '../support/workflows';

/** Seconds between two scheduled executions. */
export const SCHEDULE_INTERVAL = 10;

/** Seconds between two polls. */
export const POLL_INTERVAL = 5;

/** The node that receives the links of the trigger. */
export const ANNOUNCE = 'Announce';

/** Reorders a page and creates a link whose title no other execution uses. */
export function scheduleWorkflow(credential: Stored, pageId: string, blockIds: string[]): Workflow {
	const reorder = profilePage(
		credential,
		{
			resource: 'blocks',
			operation: 'reorder',
			pageId,
			blockOrder: 'value',
			// Another order in each execution.
			blockIdsValue: `={{ ${JSON.stringify(blockIds)}.map((_, index, ids) => ids[(index + Number($execution.id)) % ids.length]) }}`,
		},
		{ name: 'Reorder Blocks' },
	);
	const create = profilePage(
		credential,
		{
			resource: 'links',
			operation: 'create',
			title: "={{ 'Link of execution ' + $execution.id }}",
			url: "={{ 'https://example.com/' + $execution.id }}",
		},
		// Reorder Blocks returns an item for each block.
		{ name: 'Create a Link', executeOnce: true },
	);
	return chain('Soak: schedule', scheduleTrigger(SCHEDULE_INTERVAL), reorder, create);
}

/** Starts an execution for new links. */
export function triggerWorkflow(credential: Stored): Workflow {
	const trigger = profilePageTrigger(credential, POLL_INTERVAL);
	return chain('Soak: trigger', trigger, noOperation(ANNOUNCE));
}
