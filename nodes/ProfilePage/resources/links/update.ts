import type { Collection, Item } from '../../item/item';
import { readText, readWebAddress } from '../../item/readers';
import { readPayload } from '../../service/response';
import { done, invalid } from '../../service/types';
import { groupField, readGroupChoice } from '../groups/groupField';
import type { Operation } from '../operation';
import { linkField, planEachLink, titleField, urlField } from './linkFields';
import { editRequest, type LinkForm, toLinkId } from './linkRequests';

const newGroup = groupField('groupsToMoveTo', 'Set Title too: without it, some services clear the title. ');

const newTitle = { ...titleField, description: 'The new title. If this is empty, the title does not change.' };

const newUrl = {
	...urlField,
	description: 'The new address, starting with https:// or http://. If this is empty, the URL does not change.',
};

const updateFields: Collection = {
	displayName: 'Update Fields',
	name: 'updateFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	description: 'The fields to update. A field that is not added or is empty does not change.',
	options: [newGroup, newTitle, newUrl],
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
		planEachLink(items, (linkId, item) => {
			const fields = readUpdates(item);
			return {
				request: editRequest(linkId, fields),
				read: (envelope) => done({ items: item.output([{ ...readPayload(envelope), link_id: toLinkId(linkId) }]) }),
				fields,
			};
		}),
};

function readUpdates(item: Item): LinkForm {
	const set = item.collection(updateFields);
	if (set.size === 0) {
		const advice = 'Add a field and enter a value. An empty field does not change.';
		throw invalid(updateFields.displayName, 'no field has a value', advice);
	}
	return {
		group_id: set.read(newGroup, readGroupChoice),
		title: set.read(newTitle, (value, field) => readText(value, field, 'Enter the new title.')),
		link: set.read(newUrl, readWebAddress),
	};
}
