import type { IDataObject, INodeListSearchItems, INodeProperties } from 'n8n-workflow';

import { locatorField } from '../../fields/field';
import type { Item } from '../../fields/item';
import { isWebAddress, readId } from '../../fields/readers';
import type { ChoiceList } from '../../n8n/lists';
import type { Client } from '../../service/client';
import type { ServiceRequest } from '../../service/request';
import { asText, isId, quotable } from '../../shared/values';
import type { Call } from '../operation';
import { knownLinksOf } from './knownLinks';
import { linkOutput } from './linkOutput';
import { type LinkForm, listRequest, MAX_LISTED, parseLinks, toLinkId } from './linkRequests';

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
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 123456' },
	],
};

export const linkField = locatorField(linkShown, (value) =>
	readId(value, linkShown.displayName, 'Choose a link, or enter an ID that Get Many returns.'),
);

export const TITLE_EXAMPLE = 'e.g. My new video';
export const URL_EXAMPLE = 'e.g. https://example.com/video';

function notListed(linkId: string): string {
	return `Link ${quotable(linkId)} is not among the ${MAX_LISTED} newest public links, so its title is not known.`;
}

/** Plans to update or to delete the link with an ID. A preview of a deletion reads the list, to show what would go. */
export function planChange(item: Item, linkId: string, request: ServiceRequest, change: LinkForm | 'deleted'): Call {
	const link = { link_id: toLinkId(linkId) };
	const perform = async (client: Client) => {
		const known = knownLinksOf(client);
		const send = async () => await client.request(request, () => undefined);
		if (change === 'deleted') {
			const listed = client.isPreview ? await known.findById(client, linkId) : undefined;
			await known.change(send, () => known.noteDeleted(linkId));
			if (!client.isPreview) return { items: linkOutput(item, client, 'deleted', { ...link, deleted: true }) };
			const shown = { ...link, title: listed?.title, link: listed?.link };
			return { items: linkOutput(item, client, 'deleted', shown), notes: listed ? [] : [notListed(linkId)] };
		}
		await known.change(send, () => known.noteUpdated(linkId, change));
		return { items: linkOutput(item, client, 'updated', { ...link, ...change }) };
	};
	return { purpose: request, idempotent: request.idempotent, perform, turn: { key: linkId, among: 'run' } };
}
