import { collectionField, timeField } from '../../fields/field';
import type { Item } from '../../fields/item';
import { invalid } from '../../shared/failure';
import { quotable } from '../../shared/values';
import { groupField } from '../groups/groupField';
import type { Operation } from '../operation';
import { ifExistsField, planCreation } from './ifExists';
import { titleField, URL_EXAMPLE, urlField } from './linkFields';
import type { NewLink } from './linkRequests';

const newTitle = titleField({ required: true, description: 'The text of the link' });

const newUrl = urlField('URL', 'url', {
	required: true,
	placeholder: URL_EXAMPLE,
	description:
		'The address that the link leads to, starting with https:// or http://. In the output, <code>service_url</code> is the page that the service has for the link.',
});

const imageUrl = urlField('Image URL', 'imageUrl', {
	placeholder: 'e.g. https://example.com/video.png',
	description: 'The address of an image to show with the link',
});

const LOCAL_TIME = 'A time without an offset is in the time zone of the workflow.';

const scheduleFrom = timeField('Public From', 'scheduleFrom', {
	description: `When the link becomes public. Until then, If Link Exists finds it only if this node has scheduled it with Skip or Update (the last 1,000), not another node, a copy of this one, or the dashboard. ${LOCAL_TIME}`,
});

const scheduleTo = timeField('Public Until', 'scheduleTo', {
	description: `When the link stops being public; for a date without a time, at the start of that day. ${LOCAL_TIME}`,
});

const additionalFields = collectionField(
	'Additional Fields',
	'additionalFields',
	{ placeholder: 'Add Field' },
	{ groupId: groupField('groupsOrNone'), imageUrl, scheduleFrom, scheduleTo },
	// Not the schedule: without it, the link would be public at once.
	['groupId', 'imageUrl'],
);

/** Create a new link (docs/api.md, section 4.4). */
export const createLink: Operation = {
	shown: {
		name: 'Create',
		value: 'create',
		description:
			'Create a link above the others: of several items, the last one ends up on top. Can skip or update the link that has the same URL.',
		action: 'Create link',
	},
	fields: [newTitle, newUrl, ifExistsField, additionalFields],
	hasPreview: true,
	plan: ([item]) => planCreation(item, readNewLink(item)),
};

function readNewLink(item: Item): NewLink {
	const [title, link] = [newTitle.read(item), newUrl.read(item)];
	const { groupId, imageUrl: image, scheduleFrom: from, scheduleTo: to } = additionalFields.read(item);
	const isEarly = from && to && Date.parse(to) <= Date.parse(from);
	if (isEarly || (to && Date.parse(to) <= Date.now())) {
		const why = isEarly ? `is not after Public From (${from}) of the link` : 'has passed, so nobody would see the link';
		const problem = `${to} ${why} "${quotable(title)}"`;
		throw invalid(scheduleTo.shown.displayName, problem, 'Enter a later date and time.');
	}
	return { title, link, image, group_id: groupId, schedule_from: from, schedule_to: to };
}
