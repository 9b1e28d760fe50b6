import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { FieldError } from '../../explainedErrors';
import { isEmpty, requireFound } from '../../fields/empty';
import { fieldReader } from '../../fields/fieldReader';
import { readText } from '../../fields/readText';
import { readWebAddress } from '../../fields/readWebAddress';
import { type Operation, pairWith } from '../../operation';
import { readPayload } from '../../wire/envelope';
import { groupField, readGroupId } from '../groups/groupField';
import { linkField, planEachLink } from './linkField';

/** A field that can be changed: what the editor shows of it, its name in the form, how it is read. */
interface Change {
	readonly field: INodeProperties;
	readonly formName: string;
	readonly read: (value: unknown) => string;
}

const changes: readonly Change[] = [
	{ field: groupField('groupsOrNone'), formName: 'group_id', read: readGroupId },
	{
		field: {
			displayName: 'Title',
			name: 'title',
			type: 'string',
			default: '',
			placeholder: 'e.g. My new video',
			description: 'What the link is to say',
			hint: 'If this is left empty, the title is cleared.',
		},
		formName: 'title',
		read: (value) =>
			readText(value, { field: 'Title', advice: 'Give a text, or an empty one to clear it.' }),
	},
	{
		field: {
			displayName: 'URL',
			name: 'url',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://example.com/video',
			description: 'Where the link is to lead, beginning with https:// or http://',
			hint: 'If this is left empty, the URL is cleared.',
		},
		formName: 'link',
		read: (value) => readWebAddress(value, 'URL'),
	},
];

const updateFields: INodeProperties = {
	displayName: 'Update Fields',
	name: 'updateFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	description:
		'What to change. What is not added stays as it is; what is added and left empty is cleared.',
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
				basis: 'public documentation',
				form: { link_id: linkId, ...readForm(itemIndex) },
				failure: `The link ${linkId} was not updated`,
				badRequestAdvice: 'Check the ID of the link and the fields to change.',
			},
			toItems: (envelope) => pairWith(itemIndex, [readPayload(envelope)]),
		}));
	},
};

function formReader(context: IExecuteFunctions): (itemIndex: number) => Record<string, string> {
	const read = fieldReader(context, updateFields.name, updateFields.default);
	return (itemIndex) => {
		const values = read(itemIndex) as IDataObject;
		const added = changes.filter(({ field }) => field.name in values);
		if (added.length === 0) {
			throw new FieldError('Update Fields', 'there is none. Add a field to change.');
		}
		return Object.fromEntries(
			added.map((change) => [change.formName, readChange(change, values[change.field.name])]),
		);
	};
}

function readChange({ field, read }: Change, value: unknown): string {
	requireFound(value, field.displayName, 'to clear the field');
	return isEmpty(value) ? '' : read(value);
}
