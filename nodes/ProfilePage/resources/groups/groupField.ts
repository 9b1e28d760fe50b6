import type { INodeListSearchItems, INodeProperties } from 'n8n-workflow';

import { isNumericId, readNumericId } from '../../item/readers';
import { asText } from '../../shared/values';
import type { ChoiceList } from '../operation';
import { groupsRequest, readGroups } from './getAll';

/** n8n requires this name for options that are loaded. */
const DISPLAY_NAME = 'Group Name or ID';

/** The value of "No Group" in a list in which the empty value has another meaning. */
const NO_GROUP = 'none';

/** The lists of groups to choose from. A value that is not in its list is invalid in the editor. */
export const groupLists = {
	groupsOrAny: groupsAfter({ name: 'Any Group', value: '' }),
	groupsOrNone: groupsAfter({ name: 'Not Set', value: '' }, { name: 'No Group', value: NO_GROUP }),
	groupsToMoveTo: groupsAfter({ name: 'No Change', value: '' }, { name: 'No Group', value: NO_GROUP }),
};

function groupsAfter(...first: INodeListSearchItems[]): ChoiceList {
	return {
		request: groupsRequest,
		read: (envelope) => {
			const choices = readGroups(envelope).map(({ group_id: id, group_name: name }) => ({
				name: asText(name) || asText(id),
				value: asText(id),
			}));
			return [...first, ...choices.filter(({ value }) => isNumericId(value))];
		},
	};
}

export function groupField(list: keyof typeof groupLists): INodeProperties {
	return {
		displayName: DISPLAY_NAME,
		name: 'groupId',
		type: 'options',
		typeOptions: { loadOptionsMethod: list },
		default: '',
		description:
			'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	};
}

/** Returns the ID of a group. Throws ValidationError if it is invalid. */
export function readGroupId(value: unknown): string {
	return readNumericId(value, DISPLAY_NAME, 'Choose a group, or enter an ID that Groups: Get Many returns.');
}

/** Returns the ID of a group, or an empty text for no group. Throws ValidationError if it is neither. */
export function readGroupChoice(value: unknown): string {
	const isNone = typeof value === 'string' && value.trim().toLowerCase() === NO_GROUP;
	return isNone ? '' : readGroupId(value);
}
