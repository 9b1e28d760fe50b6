import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { locatorReader } from '../../fields/locator';
import { readNumericId } from '../../fields/readNumericId';
import type { linkLists } from './linkList';

const LIST: keyof typeof linkLists = 'links';

/** The field in which a link is chosen. */
export const linkField: INodeProperties = {
	displayName: 'Link',
	name: 'linkId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description:
		'The list has the 50 newest links of those that are public. Give any other, such as one that is scheduled, by its ID.',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Choose a link…',
			typeOptions: { searchListMethod: LIST, searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 123456',
			validation: [
				{
					type: 'regex',
					properties: { regex: '[0-9]+', errorMessage: 'The ID of a link is a whole number' },
				},
			],
		},
	],
};

/**
 * Prepares to read that field for many items.
 *
 * @returns a function that gives the ID of the link; it throws a FieldError if there is none
 */
export function linkReader(context: IExecuteFunctions): (itemIndex: number) => string {
	const read = locatorReader(context, linkField.name);
	return (itemIndex) =>
		readNumericId(read(itemIndex), {
			field: linkField.displayName,
			advice: 'Choose a link from the list, or give its ID.',
		});
}
