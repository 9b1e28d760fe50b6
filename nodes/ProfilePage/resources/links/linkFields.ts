import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { locatorReader } from '../../fields/parameterReader';
import { isNumericId, isWebAddress, readNumericId } from '../../fields/readers';
import { type Call, type ChoiceList, planEachItem, type PlannedCall } from '../../operation';
import { asText } from '../../shared/values';
import { listRequest, readLinks } from './linkRequests';

export const linkLists = {
	links: {
		request: listRequest(),
		read: (envelope) => {
			const links = readLinks(envelope);
			if (!Array.isArray(links)) return links;
			const named = links.map(({ link_id: linkId, title, link }) => {
				const [id, address] = [asText(linkId), asText(link)];
				return { id, address, name: asText(title) || address || id };
			});
			const choices = named.map(({ id, address, name }) => ({
				name: named.filter((other) => other.name === name).length > 1 ? `${name} (ID ${id})` : name,
				value: id,
				// The editor opens it in a browser.
				...(isWebAddress(address) && { url: address }),
			}));
			return choices.filter(({ value }) => isNumericId(value));
		},
	} satisfies ChoiceList,
};

export const linkField: INodeProperties = {
	displayName: 'Link',
	name: 'linkId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description:
		'The list contains the 50 newest public links. To use any other link, such as a scheduled one, enter its ID.',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Choose a link…',
			typeOptions: { searchListMethod: 'links' satisfies keyof typeof linkLists, searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 123456',
			validation: [
				{
					type: 'regex',
					properties: {
						regex: '\\s*[0-9]+\\s*',
						errorMessage: 'The ID of a link is a whole number',
					},
				},
			],
		},
	],
};

export const titleField: INodeProperties = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	default: '',
	placeholder: 'e.g. My new video',
};

export const urlField: INodeProperties = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/video',
};

/** Plans one call for each input item, about the link in its {@link linkField}. */
export function planEachLink(
	context: IExecuteFunctions,
	planLink: (linkId: string, itemIndex: number) => Pick<Call, 'request' | 'read'>,
): PlannedCall[] {
	const read = locatorReader(context, linkField);
	const advice = 'Choose a link, or enter an ID that Get Many returns.';
	return planEachItem(context, (itemIndex) => {
		const linkId = readNumericId(read(itemIndex), linkField.displayName, advice);
		return { concurrencyKey: linkId, ...planLink(linkId, itemIndex) };
	});
}
