import type { INodeProperties } from 'n8n-workflow';

import { addressField, Field, textField } from '../../fields/field';
import { isWebAddress, readWebAddress } from '../../fields/readers';
import type { ChoiceList } from '../../n8n/lists';
import { invalid } from '../../shared/failure';
import { asObject, asText, decodeEntities, isId } from '../../shared/values';
import { readLnkBioId } from '../lnkBio';
import { listRequest, MAX_LISTED } from './linkRequests';

export const linkChoices = {
	links: async ({ client }) => {
		const links = await client.request(listRequest());
		return links.flatMap(({ link_id: id, title, link }) => {
			const [value, address] = [asText(id), asText(link)];
			// The editor opens the URL in a browser.
			const url = isWebAddress(address) ? { url: address } : {};
			return isId(id) ? [{ name: asText(title) || address || value, value, ...url }] : [];
		});
	},
} satisfies Record<string, ChoiceList>;

const linkShown: INodeProperties = {
	displayName: 'Link',
	name: 'linkId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: `From List and By URL find the ${MAX_LISTED} newest public links. To use any other link, such as a scheduled one, enter its ID.`,
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Choose a link…',
			typeOptions: { searchListMethod: 'links' satisfies keyof typeof linkChoices, searchable: true },
		},
		{ displayName: 'By URL', name: 'url', type: 'string', placeholder: 'e.g. https://example.com/video' },
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 123456' },
	],
};

/** The link to change: by its ID, or by the address that it leads to. */
export const linkField = new Field(
	linkShown,
	(value, item): { id: string; url?: never } | { id?: never; url: string } => {
		const { displayName, name } = linkShown;
		if (asObject(item.raw(name)).mode === 'url') return { url: readWebAddress(value, displayName) };
		if (isWebAddress(asText(value))) throw invalid(displayName, 'the value is a URL, not an ID', 'Set Link to By URL.');
		return { id: readLnkBioId(value, displayName, 'Choose a link, or enter an ID that Get Many returns.') };
	},
);

/** A title, decoded: some APIs, such as that of YouTube, return "Don&#39;t". */
export function titleField(shown: { description: string; required?: true }): Field<string> {
	const placeholder = 'e.g. My new video';
	const text = textField('Title', 'title', 'Enter the text of the link.', { placeholder, ...shown });
	return new Field(text.shown, (value, item) =>
		text.parse(typeof value === 'string' ? decodeEntities(value) : value, item),
	);
}

/** A web address in ASCII, as services accept it that check it with PHP. */
export function urlField(...declaration: Parameters<typeof addressField>): Field<string> {
	const address = addressField(...declaration);
	return new Field(address.shown, (value, item) => {
		const url = address.parse(value, item);
		return /[^!-~]/.test(url) ? new URL(url).href : url;
	});
}

export const URL_EXAMPLE = 'e.g. https://example.com/video';
