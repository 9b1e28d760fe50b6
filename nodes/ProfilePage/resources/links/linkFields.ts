import type { IDataObject, INodeListSearchItems, INodeProperties } from 'n8n-workflow';

import { locatorField } from '../../fields/field';
import type { Item } from '../../fields/item';
import { isNumericId, isWebAddress, readNumericId } from '../../fields/readers';
import type { ChoiceList } from '../../n8n/lists';
import type { Client } from '../../service/client';
import type { ServiceRequest } from '../../service/request';
import { asText } from '../../shared/values';
import { type Call, sending } from '../operation';
import { knownLinksOf, type LinkChange } from './knownLinks';
import { linkOutput } from './linkOutput';
import { listRequest, parseLinks, toLinkId } from './linkRequests';

export const linkChoices = {
	links: {
		request: () => listRequest(),
		parse: (envelope) => toChoices(parseLinks(envelope)),
	} satisfies ChoiceList,
};

function toChoices(listed: IDataObject[]): INodeListSearchItems[] {
	const choices = listed.map(({ link_id: linkId, title, link }) => {
		const [value, address] = [asText(linkId), asText(link)];
		// The editor opens the URL in a browser.
		return { name: asText(title) || address || value, value, ...(isWebAddress(address) && { url: address }) };
	});
	return choices.filter(({ value }) => isNumericId(value));
}

const linkShown: INodeProperties = {
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
			typeOptions: { searchListMethod: 'links' satisfies keyof typeof linkChoices, searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 123456',
			validation: [
				{ type: 'regex', properties: { regex: '\\s*[0-9]+\\s*', errorMessage: 'The ID of a link is a whole number' } },
			],
		},
	],
};

export const linkField = locatorField(linkShown, (value) => {
	const advice = 'Choose a link, or enter an ID that Get Many returns.';
	return readNumericId(value, linkShown.displayName, advice);
});

export const TITLE_EXAMPLE = 'e.g. My new video';
export const URL_EXAMPLE = 'e.g. https://example.com/video';

/** Plans to change the link in the {@link linkField} of an item. */
export function planChange(item: Item, linkId: string, request: ServiceRequest, change: LinkChange): Call {
	// "7" and "07" are the same link.
	const key = linkId.replace(/^0+(?=\d)/, '');
	const toItems = (client: Client) => {
		const { title, link } = knownLinksOf(item.context, client).get(key);
		const known = { link_id: toLinkId(linkId), title, link };
		if (change !== 'deleted') return linkOutput(item, client, 'updated', { ...known, ...change });
		return linkOutput(item, client, 'deleted', { ...known, deleted: client.isPreview ? undefined : true });
	};
	return sending(
		request,
		(_, client) => ({ items: toItems(client) }),
		key,
		(outcome, client) => knownLinksOf(item.context, client).changed(key, outcome, change),
	);
}
