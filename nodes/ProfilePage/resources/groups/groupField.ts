import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';

import { Field } from '../../fields/field';
import { readId } from '../../fields/readers';
import type { ChoiceList } from '../../n8n/lists';
import { asText, isId, trimmed } from '../../shared/values';
import { groupsRequest, parseGroups } from './getAll';

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
	const toChoices = (groups: IDataObject[]) => {
		const withId = groups.filter(({ group_id: id }) => isId(id));
		const choices = withId.map(({ group_id: id, group_name: name }) => ({
			name: asText(name) || asText(id),
			value: asText(id),
		}));
		return [...first, ...choices];
	};
	return { request: () => groupsRequest, parse: (envelope) => toChoices(parseGroups(envelope)) };
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

const ENTER_ID = 'Choose a group from the list, or use an ID that Groups: Get Many returns.';

/** Returns the ID of a group. Throws Failure if it is invalid, or the name of a group. */
export function readGroupId(value: unknown): string {
	return readId('group', value, DISPLAY_NAME, ENTER_ID);
}

function readGroupChoice(value: unknown): string {
	const isNone = typeof value === 'string' && trimmed(value).toLowerCase() === NO_GROUP.value;
	return isNone ? '' : readGroupId(value);
}
