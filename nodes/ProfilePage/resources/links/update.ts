import { addressField, Collection, textField } from '../../fields/field';
import type { Item } from '../../fields/item';
import { invalid } from '../../service/failure';
import { readPayload } from '../../service/payload';
import { groupField } from '../groups/groupField';
import type { Operation } from '../operation';
import { linkField, planEachLink, shownTitle, shownUrl } from './linkFields';
import { editRequest, type LinkForm, toLinkId } from './linkRequests';

const newGroup = groupField('groupsToMoveTo', 'Set Title too: without it, some services clear the title. ');

const newTitle = textField(
	{ ...shownTitle, description: 'The new title. If this is empty, the title does not change.' },
	'Enter the new title.',
);

const newUrl = addressField({
	...shownUrl,
	description: 'The new address, starting with https:// or http://. If this is empty, the URL does not change.',
});

const updateFields = new Collection(
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		placeholder: 'Add Field',
		description: 'The fields to update. A field that is not added or is empty does not change.',
	},
	{ groupId: newGroup, title: newTitle, url: newUrl },
);

/** Edit an existing link (docs/api.md, section 4.5). */
export const updateLink: Operation = {
	shown: {
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
				parse: (envelope) => ({ items: item.output([{ ...readPayload(envelope), link_id: toLinkId(linkId) }]) }),
				change: fields,
			};
		}),
};

function readUpdates(item: Item): LinkForm {
	const { groupId, title, url } = updateFields.read(item);
	if (groupId === undefined && title === undefined && url === undefined) {
		const advice = 'Add a field and enter a value. An empty field does not change.';
		throw invalid(updateFields.shown.displayName, 'no field has a value', advice);
	}
	return { group_id: groupId, title, link: url };
}
