import type { INodeListSearchItems, INodeProperties } from 'n8n-workflow';

import { Field } from '../../fields/field';
import type { Item } from '../../fields/item';
import { readNameOrId } from '../../fields/readers';
import type { ChoiceList } from '../../n8n/lists';
import { checkVisible, invalid } from '../../shared/failure';
import { asObject, asText, isObject, quotable, trimmed } from '../../shared/values';
import type { Session } from '../session';
import { blockList, type Listed, pageList, requestForList } from './configuredLists';
import { loadPages } from './names';

const shown = {
	displayName: 'Page',
	name: 'pageId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: 'The page, by the name that the list shows, such as Home, or by its ID, which starts with PAGE',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Choose a page…',
			typeOptions: { searchListMethod: 'pages', searchable: true },
		},
		// The list of modes is too narrow for "By Name".
		{ displayName: 'Name', name: 'name', type: 'string', placeholder: 'e.g. Home' },
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. PAGE_home_65f1c0a2b3d4e' },
	],
} satisfies INodeProperties;

export const pageField = new Field(shown, (value) =>
	readNameOrId(value, shown.displayName, 'Choose a page, or enter its name or its ID.'),
);

export const pageChoices = {
	pages: async ({ client, credential }) => {
		const pages = await client.request(requestForList(pageList, credential));
		return pages.map(toChoice);
	},
	blocks: async ({ client, credential, parameter }) => {
		const entered = parameter(shown.name);
		const { mode, value } = isObject(entered) ? entered : { mode: 'id', value: entered };
		const page = trimmed(asText(value));
		const advice = 'Choose one. If it comes from an expression, run the nodes before this one first.';
		if (!page) throw invalid(shown.displayName, 'no page is known yet', advice);
		const pages = mode === 'name' ? await loadPages(client, credential) : undefined;
		const id = pages?.findOne(page, shown.displayName).id ?? page;
		const blocks = await client.request(requestForList(blockList, credential, id));
		return blocks.map(toChoice);
	},
} satisfies Record<string, ChoiceList>;

function toChoice({ id, name, json: { type } }: Listed, index: number): INodeListSearchItems {
	return { name: name || (type ? `${asText(type)} at position ${index}` : id), value: id };
}

export interface Page {
	readonly id: string;
	/** What messages call it: by its name, if that is known, or its ID, such as `page "Home"`. */
	readonly label: string;
}

/** Reads the page of an item. Throws Failure if it is invalid, or if no page is called so. */
export async function readPage(item: Item, session: Session): Promise<Page> {
	const entered = pageField.read(item);
	const { mode, value, cachedResultName } = asObject(item.raw(shown.name));
	if (mode === 'name') {
		const pages = await session.pages();
		return { id: pages.findOne(entered, shown.displayName).id, label: quotedPage(entered) };
	}
	checkVisible(entered, shown.displayName);
	const isChosen = mode === 'list' && value === entered;
	return { id: entered, label: quotedPage((isChosen && asText(cachedResultName)) || entered) };
}

function quotedPage(page: string): string {
	return `page "${quotable(page)}"`;
}
