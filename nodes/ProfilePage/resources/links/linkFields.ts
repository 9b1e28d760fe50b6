import type { IDataObject, INodeListSearchItems, INodeProperties } from 'n8n-workflow';

import { locatorField } from '../../fields/field';
import { isWebAddress, readId } from '../../fields/readers';
import type { ChoiceList } from '../../n8n/lists';
import { asText, isId } from '../../shared/values';
import { listRequest, MAX_LISTED, parseLinks } from './linkRequests';

export const linkChoices = {
	links: {
		request: () => listRequest(),
		parse: (envelope) => toChoices(parseLinks(envelope)),
	} satisfies ChoiceList,
};

function toChoices(listed: IDataObject[]): INodeListSearchItems[] {
	const withId = listed.filter(({ link_id: id }) => isId(id));
	return withId.map(({ link_id: id, title, link }) => {
		const [value, address] = [asText(id), asText(link)];
		// The editor opens the URL in a browser.
		return { name: asText(title) || address || value, value, ...(isWebAddress(address) && { url: address }) };
	});
}

const linkShown: INodeProperties = {
	displayName: 'Link',
	name: 'linkId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: `The list contains the ${MAX_LISTED} newest public links. To use any other link, such as a scheduled one, enter its ID.`,
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Choose a link…',
			typeOptions: { searchListMethod: 'links' satisfies keyof typeof linkChoices, searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 123456' },
	],
};

export const linkField = locatorField(linkShown, (value) => {
	const id = readId('link', value, linkShown.displayName, 'Choose a link, or enter an ID that Get Many returns.');
	// IDs are numbers (docs/api.md, section 4.6), so "01" is the same link as "1".
	return /^\d+$/.test(id) ? id.replace(/^0+/, '') : id;
});

export const TITLE_EXAMPLE = 'e.g. My new video';
export const URL_EXAMPLE = 'e.g. https://example.com/video';

const ENTITY = /&(?:amp|lt|gt|quot|apos|nbsp|#\d+|#x[\da-f]+);/i;

/** Warns of a title that looks encoded for HTML: it is sent as it is. */
export function warnOfEntities(title = ''): string[] {
	const [entity] = ENTITY.exec(title) ?? [];
	if (!entity) return [];
	return [`The title contains ${entity}. If the page shows it like that, decode the title first: ${DECODED}`];
}

/** `&amp;` is the last one, so that nothing is decoded twice. */
const DECODED = `{{ $json.title.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&') }}`;
