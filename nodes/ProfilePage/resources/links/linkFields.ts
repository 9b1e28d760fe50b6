import type { IDataObject, INodeListSearchItems, INodeProperties } from 'n8n-workflow';

import { Locator } from '../../fields/field';
import { type Item, planEach } from '../../fields/item';
import { isNumericId, isWebAddress, readNumericId } from '../../fields/readers';
import type { Client } from '../../service/client';
import { type ChoiceList, mapDone, type Read, type ServiceRequest } from '../../service/types';
import { asText } from '../../shared/values';
import type { CallResult, PlannedCall } from '../operation';
import { knownLinksOf } from './knownLinks';
import { type LinkForm, listRequest, readLinks } from './linkRequests';

export const linkChoices = {
	links: {
		request: listRequest(),
		read: (envelope) => mapDone(readLinks(envelope), toChoices),
	} satisfies ChoiceList,
};

function toChoices(listed: IDataObject[]): INodeListSearchItems[] {
	const links = listed.map(({ link_id: linkId, title, link }) => {
		const [id, address] = [asText(linkId), asText(link)];
		return { id, address, name: asText(title) || address || id };
	});
	const names = new Map<string, number>();
	for (const { name } of links) names.set(name, (names.get(name) ?? 0) + 1);
	const choices = links.filter(({ id }) => isNumericId(id));
	return choices.map(({ id, address, name }) => ({
		name: names.get(name) === 1 ? name : `${name} (ID ${id})`,
		value: id,
		// The editor opens it in a browser.
		...(isWebAddress(address) && { url: address }),
	}));
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

/** Changes some fields of a link, or deletes it if there are none. */
interface LinkChange {
	readonly request: ServiceRequest;
	readonly read: Read<CallResult>;
	readonly fields?: LinkForm;
}

/** Plans one call for each input item, about the link in its {@link linkField}. */
export function planEachLink(
	items: readonly Item[],
	planChange: (linkId: string, item: Item) => LinkChange,
): PlannedCall[] {
	return planEach(items, (item) => {
		const linkId = linkField.read(item);
		// "7" and "07" are the same link.
		const key = linkId.replace(/^0+(?=\d)/, '');
		const { request, read, fields } = planChange(linkId, item);
		const send = async (client: Client) => {
			const ended = await client.send(request, read);
			knownLinksOf(item.context, client.account).changed(key, ended.outcome, fields);
			return ended;
		};
		return { key, request, send };
	});
}
