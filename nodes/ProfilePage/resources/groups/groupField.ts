import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';

import { Field } from '../../fields/field';
import { readId } from '../../fields/readers';
import type { ChoiceList } from '../../n8n/lists';
import { invalid } from '../../shared/failure';
import { asText, isId, quotable } from '../../shared/values';
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
		const groups = await client.request(groupsRequest);
		return [...first, ...groups.filter(({ group_id: id }) => isId(id)).map(toChoice)];
	};
}

function toChoice({ group_id: id, group_name: name }: IDataObject): INodeListSearchItems {
	return { name: asText(name) || asText(id), value: asText(id) };
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
	const id = readId(value, DISPLAY_NAME, ENTER_ID);
	if (/\d/.test(id)) return id;
	const advice = `The ID of a group contains a digit. ${ENTER_ID}`;
	throw invalid(DISPLAY_NAME, `the value is not an ID: "${quotable(id)}"`, advice);
}

function readGroupChoice(value: unknown): string {
	return value === NO_GROUP.value ? '' : readGroupId(value);
}
