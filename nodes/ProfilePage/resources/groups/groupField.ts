import type { INodeProperties } from 'n8n-workflow';

import { readNumericId } from '../../fields/readNumericId';
import type { groupLists } from './groupList';

/** Its name as the editor shows it, which n8n wants for lists that are loaded. */
export const GROUP_FIELD = 'Group Name or ID';

/**
 * The field in which a group is chosen.
 *
 * @param list the one to choose from
 */
export function groupField(list: keyof typeof groupLists): INodeProperties {
	return {
		displayName: GROUP_FIELD,
		name: 'groupId',
		type: 'options',
		typeOptions: { loadOptionsMethod: list },
		default: '',
		description:
			'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	};
}

/** @throws FieldError if it is not the ID of a group */
export function readGroupId(value: unknown): string {
	return readNumericId(value, {
		field: GROUP_FIELD,
		advice: 'Choose a group from the list, or give its ID.',
	});
}
