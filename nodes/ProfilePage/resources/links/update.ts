import { collectionField } from '../../fields/field';
import type { Item } from '../../fields/item';
import { invalid } from '../../shared/failure';
import { groupField } from '../groups/groupField';
import type { Call, Operation } from '../operation';
import { linkField, titleField, URL_EXAMPLE, urlField } from './linkFields';
import { linkOutput } from './linkOutput';
import { editRequest, type LinkForm, toLinkId } from './linkRequests';

const newGroup = groupField('groupsToMoveTo');

const newTitle = titleField({ description: 'The new title. Without one, some services clear the title.' });

const newUrl = urlField('URL', 'url', {
	placeholder: URL_EXAMPLE,
	description: 'The new address, starting with https:// or http://. If this is empty, the URL does not change.',
});

const updateFields = collectionField(
	'Update Fields',
	'updateFields',
	{
		placeholder: 'Add Field',
		description: 'The fields to update. A field that is not added or is empty is not sent.',
	},
	{ groupId: newGroup, title: newTitle, url: newUrl },
);

/** Edit an existing link (docs/api.md, section 4.5). */
export const updateLink: Operation = {
	shown: {
		name: 'Update',
		value: 'update',
		description: 'Update the title, URL, or group of a link. The service cannot change its picture or its schedule.',
		action: 'Update link',
	},
	fields: [linkField, updateFields],
	hasPreview: true,
	plan: ([item]) => {
		const linkId = linkField.read(item);
		const fields = readUpdates(item);
		const request = editRequest(linkId, fields);
		const perform: Call['perform'] = async ({ links }) => {
			await links.change(request);
			return { items: linkOutput(item, 'updated', { link_id: toLinkId(linkId), ...fields }) };
		};
		return { purpose: request, perform, key: linkId };
	},
};

function readUpdates(item: Item): LinkForm {
	const { groupId, title, url } = updateFields.read(item);
	if (groupId === undefined && title === undefined && url === undefined) {
		const advice = 'Add a field and enter a value. An empty field leaves the link as it is.';
		throw invalid(updateFields.shown.displayName, 'no field has a value', advice);
	}
	return { ...(title && { title }), ...(url && { link: url }), ...(groupId !== undefined && { group_id: groupId }) };
}
