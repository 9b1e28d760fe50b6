import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { readDateTime } from '../../item/dateTime';
import { type Collection, type Item, planEach } from '../../item/item';
import { readWebAddress } from '../../item/readers';
import { readPayload } from '../../service/response';
import { ValidationError } from '../../shared/errors';
import { asObject } from '../../shared/values';
import { groupField, readGroupChoice } from '../groups/groupField';
import type { Operation } from '../operation';
import { ifExistsField, looseUrls, type NewLink, planCreation, withAction } from './ifExists';
import { titleField, urlField } from './linkFields';
import { createRequest, toLinkId } from './linkRequests';

const newTitle = { ...titleField, required: true, description: 'The text of the link' };

const newUrl = {
	...urlField,
	required: true,
	description: 'The address that the link leads to, starting with https:// or http://',
};

const groupChoice = groupField('groupsOrNone');

const imageUrl: INodeProperties = {
	displayName: 'Image URL',
	name: 'imageUrl',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/video.png',
	description: 'The address of an image to show with the link',
};

const scheduleFrom: INodeProperties = {
	displayName: 'Schedule From',
	name: 'scheduleFrom',
	type: 'dateTime',
	default: '',
	description: 'When the link becomes public. A time without an offset is in the time zone of the workflow.',
};

const scheduleTo: INodeProperties = {
	...scheduleFrom,
	displayName: 'Schedule To',
	name: 'scheduleTo',
	description: 'When the link stops being public. A time without an offset is in the time zone of the workflow.',
};

const additionalFields: Collection = {
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	options: [groupChoice, imageUrl, scheduleFrom, scheduleTo],
};

const outputNotice: INodeProperties = {
	displayName:
		'With several items, the link of the last one ends up on top. In the output, <code>link</code> is the address that a link leads to, and <code>service_url</code> the page of the service for it.',
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
	plan: (items) =>
		planEach(items, (item) => {
			const newLink = readNewLink(item);
			const { title, link } = newLink;
			const request = createRequest(newLink);
			const read = (envelope: IDataObject) => {
				const created = readCreated(envelope);
				const output = item.output([withAction({ title, link, ...created }, 'created')]);
				return { items: output, isConfirmed: created.link_id !== '' };
			};
			const creation = planCreation({ newLink, item, request, read });
			return { concurrencyKey: 'links', request, read, ...creation };
		}),
};

/**
 * Returns what the service says of a new link. Services name its ID in different ways; their own page for it is not the
 * address that the link leads to.
 */
function readCreated(envelope: IDataObject): IDataObject {
	const payload = { ...asObject(envelope.info), ...readPayload(envelope) };
	const { id, lnk_id: otherId, url: serviceUrl, ...others } = payload;
	const named = serviceUrl === undefined ? {} : { service_url: serviceUrl };
	return { ...others, ...named, link_id: toLinkId(id ?? otherId ?? others.link_id) };
}

function readNewLink(item: Item): NewLink {
	const title = item.text(newTitle, 'Enter the text of the link.');
	const link = readWebAddress(item.value(newUrl), newUrl.displayName);
	// Not the schedule: without it, the link would be public at once.
	const mayBeMissing = [groupChoice, imageUrl];
	const additional = item.collection(additionalFields, mayBeMissing);
	const timeZone = item.context.getTimezone();
	const readTime = (value: unknown, field: string) => readDateTime(value, field, timeZone);
	const image = additional.read(imageUrl, readWebAddress);
	const group = additional.read(groupChoice, readGroupChoice);
	const from = additional.read(scheduleFrom, readTime);
	const to = additional.read(scheduleTo, readTime);
	if (from && to && Date.parse(to) <= Date.parse(from)) {
		const problem = `${to} is not after Schedule From (${from})`;
		throw new ValidationError(scheduleTo.displayName, problem, 'Enter a later date and time.');
	}
	return {
		title,
		link,
		...(image && { image }),
		...(group !== undefined && { group_id: group }),
		...(from && { schedule_from: from }),
		...(to && { schedule_to: to }),
	};
}
