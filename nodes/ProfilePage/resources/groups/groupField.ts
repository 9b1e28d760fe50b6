import type { INodeListSearchItems } from 'n8n-workflow';

import { collectionField, Field } from '../../fields/field';
import type { ChoiceList } from '../../n8n/lists';
import { asText, isId } from '../../shared/values';
import { readLnkBioId } from '../lnkBio';
import { groupsRequest } from './getAll';

/** n8n requires this name for options that are loaded. */
const DISPLAY_NAME = 'Group Name or ID';

/** n8n requires these words too. */
const CHOOSE =
	'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>';

/** A choice for the lists whose empty value means that nothing is set or changed. */
const NO_GROUP = { name: 'No Group', value: 'none' };

export const groupChoices = {
	groupsOrAny: groupsAfter({ name: 'Any Group', value: '' }),
	groupsOrNone: groupsAfter({ name: 'Not Set', value: '' }, NO_GROUP),
	groupsToMoveTo: groupsAfter({ name: 'No Change', value: '' }, NO_GROUP),
};

function groupsAfter(...first: INodeListSearchItems[]): ChoiceList {
	return async ({ client }) => {
		const groups = (await client.request(groupsRequest)).filter(({ group_id: id }) => isId(id));
		const choices = groups.map(({ group_id: id, group_name: name }) => ({
			name: asText(name) || asText(id),
			value: asText(id),
		}));
		return [...first, ...choices];
	};
}

/** Returns a field for the ID of a group. It is an empty text for No Group, in a list that has this choice. */
export function groupField(list: keyof typeof groupChoices): Field<string> {
	const shown = {
		displayName: DISPLAY_NAME,
		name: 'groupId',
		type: 'options',
		typeOptions: { loadOptionsMethod: list },
		default: '',
		description: CHOOSE,
	} as const;
	return new Field(shown, list === 'groupsOrAny' ? readGroupId : readGroupChoice);
}

/** Returns the ID of a group. Throws Failure if it is invalid, such as the name of a group. */
export function readGroupId(value: unknown): string {
	return readLnkBioId(
		value,
		DISPLAY_NAME,
		'Choose the group from the list, or use the ID that Groups: Get Many returns.',
	);
}

function readGroupChoice(value: unknown): string {
	return value === NO_GROUP.value ? '' : readGroupId(value);
}

/** The field Filters of Get Many and of the trigger. */
export const groupFilters = collectionField(
	'Filters',
	'filters',
	{ placeholder: 'Add Filter' },
	{ groupId: groupField('groupsOrAny') },
);
