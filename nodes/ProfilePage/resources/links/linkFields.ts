import type { IDataObject, INodeListSearchItems, INodeProperties } from 'n8n-workflow';

import { Locator } from '../../fields/field';
import type { Item } from '../../fields/item';
import { isNumericId, isWebAddress, readNumericId } from '../../fields/readers';
import type { ChoiceList } from '../../n8n/lists';
import type { ServiceRequest } from '../../service/request';
import type { Parse } from '../../service/response';
import { asText } from '../../shared/values';
import { type CallResult, planEach, type PlannedCall, sending } from '../operation';
import { knownLinksOf, type LinkChange } from './knownLinks';
import { listRequest, parseLinks } from './linkRequests';

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

export const linkField = new Locator(linkShown, (value) => {
	const advice = 'Choose a link, or enter an ID that Get Many returns.';
	return readNumericId(value, linkShown.displayName, advice);
});

/** What the fields for the title and the address of a link have in common. */
export const shownTitle = { displayName: 'Title', name: 'title', placeholder: 'e.g. My new video' };
export const shownUrl = { displayName: 'URL', name: 'url', placeholder: 'e.g. https://example.com/video' };

/** How an operation changes a link. */
interface PlannedChange {
	readonly request: ServiceRequest;
	readonly parse: Parse<CallResult>;
	readonly change: LinkChange;
}

/** Plans one call for each input item, about the link in its {@link linkField}. */
export function planEachLink(
	items: readonly Item[],
	planChange: (linkId: string, item: Item) => PlannedChange,
): PlannedCall[] {
	return planEach(items, (item) => {
		const linkId = linkField.read(item);
		// "7" and "07" are the same link.
		const key = linkId.replace(/^0+(?=\d)/, '');
		const { request, parse, change } = planChange(linkId, item);
		const call = sending(request, parse, (outcome, account) => {
			knownLinksOf(item.context, account).changed(key, outcome, change);
		});
		return { key, ...call };
	});
}
