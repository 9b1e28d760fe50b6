import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { locatorReader } from '../../fields/locator';
import { readNumericId } from '../../fields/readNumericId';
import { type Call, planEachItem, type Refusal } from '../../operation';
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

/** Plans one call for each input item, about the link that it picks. Those of one link keep their order. */
export function planEachLink(
	context: IExecuteFunctions,
	planLink: (linkId: string, itemIndex: number) => Pick<Call, 'request' | 'toItems'>,
): Array<Call | Refusal> {
	const read = locatorReader(context, linkField.name);
	return planEachItem(context, (itemIndex) => {
		const linkId = readNumericId(read(itemIndex), {
			field: linkField.displayName,
			advice: 'Choose a link from the list, or give its ID.',
		});
		return { target: linkId, ...planLink(linkId, itemIndex) };
	});
}
