import type { INodeProperties } from 'n8n-workflow';

import { readNumericId } from '../../fields/readNumericId';
import { type groupLists, NO_GROUP } from './groupList';

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

/**
 * Reads the group that a link is to be in.
 *
 * @returns its ID; an empty text for no group
 * @throws FieldError if it is neither
 */
export function readGroupChoice(value: unknown): string {
	const isNone = typeof value === 'string' && value.trim().toLowerCase() === NO_GROUP;
	return isNone ? '' : readGroupId(value);
}

/** @throws FieldError if it is not the ID of a group */
export function readGroupId(value: unknown): string {
	return readNumericId(value, {
		field: GROUP_FIELD,
		advice: 'Choose a group from the list, or give its ID.',
	});
}
