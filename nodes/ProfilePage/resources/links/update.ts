import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { FieldError } from '../../errors';
import { type Collection, collectionReader } from '../../fields/collection';
import { readText } from '../../fields/readText';
import { readWebAddress } from '../../fields/readWebAddress';
import { shorten } from '../../fields/shorten';
import { type Operation, pairWith } from '../../operation';
import { readPayload } from '../../transport/envelope';
import { groupField, readGroupChoice } from '../groups/groupField';
import { linkField, planEachLink } from './linkField';

/** A field that can be changed: what the editor shows of it, its name in the form, how it is read. */
interface Change {
	readonly field: INodeProperties;
	readonly formName: string;
	readonly read: (value: unknown) => string;
}

const changes: readonly Change[] = [
	{ field: groupField('groupsToMoveTo'), formName: 'group_id', read: readGroupChoice },
	{
		field: {
			displayName: 'Title',
			name: 'title',
			type: 'string',
			default: '',
			placeholder: 'e.g. My new video',
			description: 'What the link is to say. If this is empty, the title stays as it is.',
		},
		formName: 'title',
		read: (value) => readText(value, { field: 'Title', advice: 'Enter the new title.' }),
	},
	{
		field: {
			displayName: 'URL',
			name: 'url',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://example.com/video',
			description:
				'Where the link is to lead, beginning with https:// or http://. If this is empty, the URL stays as it is.',
		},
		formName: 'link',
		read: (value) => readWebAddress(value, 'URL'),
	},
];

const updateFields: Collection = {
	displayName: 'Update Fields',
	name: 'updateFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	description: 'The fields to change. A field that is not added or is empty stays as it is.',
	options: changes.map(({ field }) => field),
};

/**
 * Edit an existing link. The contract has its title only (section 1). Address and fields are known from
 * the public documentation of a service with this API, and from its clients.
 */
export const updateLink: Operation = {
	option: {
		name: 'Update',
		value: 'update',
		description: 'Change some fields of a link, and leave the others',
		action: 'Update a link',
	},
	fields: [linkField, updateFields],
	plan: (context) => {
		const readForm = formReader(context);
		return planEachLink(context, (linkId, itemIndex) => ({
			request: {
				method: 'POST',
				path: '/oauth/v1/lnk/edit',
				documentedBy: 'public documentation',
				form: { link_id: linkId, ...readForm(itemIndex) },
				isIdempotent: true,
				failure: `Link ${shorten(linkId)} was not updated`,
				unknownOutcome: `It is not known whether link ${shorten(linkId)} was updated`,
				badRequestAdvice: 'Check the ID of the link and the fields to change.',
			},
			toItems: (envelope) => pairWith(itemIndex, [readPayload(envelope)]),
		}));
	},
};

function formReader(context: IExecuteFunctions): (itemIndex: number) => Record<string, string> {
	const readValues = collectionReader(context, updateFields);
	return (itemIndex) => {
		const values = readValues(itemIndex);
		const set = changes.filter(({ field }) => values.has(field.name));
		if (set.length === 0) {
			throw new FieldError(
				updateFields.displayName,
				'there is nothing to change. Add a field and give it a value; an empty field stays as it is.',
			);
		}
		return Object.fromEntries(
			set.map(({ field, formName, read }) => [formName, read(values.get(field.name))]),
		);
	};
}
