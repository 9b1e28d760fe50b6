import type { Collection, CollectionValues } from '../../item/item';
import { readText, readWebAddress } from '../../item/readers';
import { readPayload } from '../../service/response';
import { ValidationError } from '../../shared/errors';
import { groupField, readGroupChoice } from '../groups/groupField';
import type { Operation } from '../operation';
import { linkField, planEachLink, titleField, urlField } from './linkFields';
import { editRequest, toLinkId } from './linkRequests';

const group = groupField('groupsToMoveTo');

const groupToMoveTo = {
	...group,
	description: `Set Title too: without it, some services clear the title. ${group.description ?? ''}`,
};

/** The fields that can be updated, with their names in the form and their readers. */
const updates = [
	{ field: groupToMoveTo, formName: 'group_id', read: readGroupChoice },
	{
		field: {
			...titleField,
			description: 'The new title. If this is empty, the title does not change.',
		},
		formName: 'title',
		read: (value: unknown) => readText(value, titleField.displayName, 'Enter the new title.'),
	},
	{
		field: {
			...urlField,
			description: 'The new address, starting with https:// or http://. If this is empty, the URL does not change.',
		},
		formName: 'link',
		read: (value: unknown) => readWebAddress(value, urlField.displayName),
	},
];

const updateFields: Collection = {
	displayName: 'Update Fields',
	name: 'updateFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	description: 'The fields to update. A field that is not added or is empty does not change.',
	options: updates.map(({ field }) => field),
};

/** Edit an existing link (docs/api.md, section 4.5). */
export const updateLink: Operation = {
	option: {
		name: 'Update',
		value: 'update',
		description: 'Update some fields of a link. An empty value changes nothing.',
		action: 'Update link',
	},
	fields: [linkField, updateFields],
	plan: (items) =>
		planEachLink(items, (linkId, item) => ({
			request: editRequest(linkId, toForm(item.collection(updateFields))),
			read: (envelope) => {
				const link = { ...readPayload(envelope), link_id: toLinkId(linkId) };
				return { items: item.output([link]) };
			},
		})),
};

function toForm(values: CollectionValues): Record<string, string> {
	if (values.size === 0) {
		const advice = 'Add a field and enter a value. An empty field does not change.';
		throw new ValidationError(updateFields.displayName, 'no field has a value', advice);
	}
	const set = updates.filter(({ field }) => values.has(field.name));
	return Object.fromEntries(set.map(({ field, formName, read }) => [formName, read(values.get(field.name))]));
}
