import type { INodeProperties } from 'n8n-workflow';

import { readDateTime } from '../../item/dateTime';
import { type Collection, type Item, planEach } from '../../item/item';
import { readWebAddress } from '../../item/readers';
import { invalid } from '../../service/types';
import { groupField, readGroupChoice } from '../groups/groupField';
import type { Operation } from '../operation';
import { ifExistsField, looseUrls, planCreation } from './ifExists';
import { textField, titleField, urlField } from './linkFields';
import type { NewLink } from './linkRequests';

const newTitle = { ...titleField, required: true, description: 'The text of the link' };

const newUrl = {
	...urlField,
	required: true,
	description: 'The address that the link leads to, starting with https:// or http://',
};

const newGroup = groupField('groupsOrNone');

const imageUrl = textField({
	displayName: 'Image URL',
	name: 'imageUrl',
	placeholder: 'e.g. https://example.com/video.png',
	description: 'The address of an image to show with the link',
});

const scheduleFrom = timeField('Schedule From', 'scheduleFrom', 'When the link becomes public.');

const scheduleTo = timeField('Schedule To', 'scheduleTo', 'When the link stops being public.');

function timeField(displayName: string, name: string, meaning: string): INodeProperties {
	const description = `${meaning} A time without an offset is in the time zone of the workflow.`;
	return { displayName, name, type: 'dateTime', default: '', description };
}

const additionalFields: Collection = {
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	options: [newGroup, imageUrl, scheduleFrom, scheduleTo],
};

const outputNotice: INodeProperties = {
	displayName:
		'With several items, the link of the last one ends up on top. In the output, <code>link</code> is the address that you entered; <code>service_url</code> is the page that the service has for the link.',
	name: 'outputNotice',
	type: 'notice',
	default: '',
};

/** Create a new link (docs/api.md, section 4.4). Links are created one at a time, so that they keep their order. */
export const createLink: Operation = {
	option: {
		name: 'Create',
		value: 'create',
		description: 'Create a link above the others. Can skip or update the link that has the same URL.',
		action: 'Create link',
	},
	fields: [newTitle, newUrl, ifExistsField, additionalFields, outputNotice],
	options: [looseUrls],
	plan: (items) => planEach(items, (item) => ({ key: 'links', ...planCreation(item, readNewLink(item)) })),
};

function readNewLink(item: Item): NewLink {
	const title = item.text(newTitle, 'Enter the text of the link.');
	const link = readWebAddress(item.value(newUrl), newUrl.displayName);
	// Not the schedule: without it, the link would be public at once.
	const additional = item.collection(additionalFields, [newGroup, imageUrl]);
	const timeZone = item.context.getTimezone();
	const readTime = (value: unknown, field: string) => readDateTime(value, field, timeZone);
	const image = additional.read(imageUrl, readWebAddress);
	const group = additional.read(newGroup, readGroupChoice);
	const from = additional.read(scheduleFrom, readTime);
	const to = additional.read(scheduleTo, readTime);
	if (from && to && Date.parse(to) <= Date.parse(from)) {
		const problem = `${to} is not after Schedule From (${from})`;
		throw invalid(scheduleTo.displayName, problem, 'Enter a later date and time.');
	}
	return { title, link, image, group_id: group, schedule_from: from, schedule_to: to };
}
