import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { type Collection, collectionReader, type CollectionValues } from '../../fields/collection';
import { fieldReader } from '../../fields/fieldReader';
import { readText } from '../../fields/readText';
import { readWebAddress } from '../../fields/readWebAddress';
import { shorten } from '../../fields/shorten';
import { type Operation, pairWith, planEachItem } from '../../operation';
import { asText, readPayload } from '../../transport/envelope';
import type { ServiceRequest } from '../../transport/serviceRequest';
import { groupField, readGroupChoice } from '../groups/groupField';
import { readSchedule, scheduleFields } from './schedule';

const titleField: INodeProperties = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. My new video',
	description: 'What the link says',
};

const urlField: INodeProperties = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. https://example.com/video',
	description: 'Where the link leads, beginning with https:// or http://',
};

const imageUrlField: INodeProperties = {
	displayName: 'Image URL',
	name: 'imageUrl',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/video.png',
	description: 'The address of a picture to show with the link',
};

const chosenGroup = groupField('groupsOrNone');

const additionalFields: Collection = {
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	options: [chosenGroup, imageUrlField, ...scheduleFields],
};

/** New links go one after another: each is put on top of those before it. */
const TARGET = 'the top of the links';

/**
 * Create a new link. The contract has its title only (section 1). Address, fields and answer are known
 * from the public documentation of a service with this API.
 */
export const createLink: Operation = {
	option: {
		name: 'Create',
		value: 'create',
		description: 'Create a link, on top of the others',
		action: 'Create a link',
	},
	fields: [titleField, urlField, additionalFields],
	plan: (context) => {
		const readForm = formReader(context);
		return planEachItem(context, (itemIndex) => ({
			target: TARGET,
			request: toRequest(readForm(itemIndex)),
			toItems: (envelope) => pairWith(itemIndex, [readPayload(envelope)]),
		}));
	},
};

/** The form that creates a link. */
interface LinkForm extends Record<string, string> {
	title: string;
	link: string;
}

function formReader(context: IExecuteFunctions): (itemIndex: number) => LinkForm {
	const readTitle = fieldReader(context, titleField.name, titleField.default);
	const readUrl = fieldReader(context, urlField.name, urlField.default);
	// Not the schedule: without one, the link would be public at once.
	const mayBeMissing = [chosenGroup.name, imageUrlField.name];
	const readAdditional = collectionReader(context, additionalFields, mayBeMissing);
	const timeZone = context.getTimezone();
	return (itemIndex) => ({
		title: readText(readTitle(itemIndex), {
			field: titleField.displayName,
			advice: 'Enter what the link is to say.',
		}),
		link: readWebAddress(readUrl(itemIndex), urlField.displayName),
		...toAdditionalForm(readAdditional(itemIndex), timeZone),
	});
}

function toAdditionalForm(values: CollectionValues, timeZone: string): Record<string, string> {
	const image = values.get(imageUrlField.name);
	const group = values.get(chosenGroup.name);
	const groupId = group === undefined ? '' : readGroupChoice(group);
	return {
		...(image !== undefined && { image: readWebAddress(image, imageUrlField.displayName) }),
		...(groupId && { group_id: groupId }),
		...readSchedule(values, timeZone),
	};
}

function toRequest(form: LinkForm): ServiceRequest {
	const title = shorten(form.title);
	return {
		method: 'POST',
		path: '/oauth/v1/lnk/add',
		documentedBy: 'public documentation',
		form,
		isIdempotent: false,
		failure: `The link "${title}" was not created`,
		unknownOutcome: `It is not known whether the link "${title}" was created`,
		badRequestAdvice: 'Check the fields of the link.',
		isConfirmedBy: (envelope) => asText(readPayload(envelope).id) !== '',
	};
}
