import { collectionField } from '../../fields/field';
import type { Item } from '../../fields/item';
import { invalid } from '../../shared/failure';
import { groupField } from '../groups/groupField';
import type { Operation } from '../operation';
import { planChange } from './linkChange';
import { linkField, titleField, URL_EXAMPLE, urlField } from './linkFields';
import type { LinkForm } from './linkRequests';

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
		const changes = readUpdates(item);
		return planChange(item, 'updated', async (links, link) => await links.update(link, changes));
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
