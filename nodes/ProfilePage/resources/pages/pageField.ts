import type { INodeProperties } from 'n8n-workflow';

import { locatorField } from '../../fields/field';
import type { Item } from '../../fields/item';
import { readId } from '../../fields/readers';
import { runState } from '../../n8n/context';
import type { ChoiceList } from '../../n8n/lists';
import type { Client } from '../../service/client';
import { invalid } from '../../shared/failure';
import { asObject, asText, isObject, quotable, trimmed } from '../../shared/values';
import { blockList, choicesOf, pageList, requestForList } from '../entries';
import { loadNames, type Names } from '../names';
import type { Inputs } from '../operation';

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

export const pageField = locatorField(shown, (value) =>
	readId('nameOrId', value, shown.displayName, 'Choose a page, or enter its name or its ID.'),
);

export const pageChoices = {
	pages: { request: (credential) => requestForList(pageList, credential), parse: choicesOf(pageList) },
	blocks: {
		request: async (credential, parameter, client) => {
			const entered = parameter(shown.name);
			const { mode, value } = isObject(entered) ? entered : { mode: 'id', value: entered };
			const page = trimmed(asText(value));
			const advice = 'Choose one. If it comes from an expression, run the nodes before this one first.';
			if (!page) throw invalid(shown.displayName, 'no page is known yet', advice);
			const pages = mode === 'name' ? await loadNames(client, credential) : undefined;
			return requestForList(blockList, credential, pages?.findOne(page, shown.displayName).id ?? page);
		},
		parse: choicesOf(blockList),
	},
} satisfies Record<string, ChoiceList>;

export interface Page {
	readonly id: string;
	/** With its name, if that is known, or its ID: such as `page "Home"`. */
	readonly label: string;
}

/** What a run has read, for its next try. */
const pagesOf = runState((): { pages?: Names } => ({}));

/**
 * Returns how to read the page of an item, which throws Failure if the item has none, or if no page has its name. The names
 * of the pages are read once a run, if an item has its page by name. Throws Failure if they cannot be read: nothing is sent
 * then, as a page that is given by ID, too, would be changed again by the next try.
 */
export async function preparePages(items: Inputs, client: Client): Promise<(item: Item) => Page> {
	if (!items.some(isByName)) return (item) => readPage(item);
	const [{ context, credential }] = items;
	const read = pagesOf(context);
	read.pages ??= await loadNames(client, credential);
	const { pages } = read;
	return (item) => readPage(item, pages);
}

/** Whether the page of an item is looked up in the list of pages. An invalid one is not. */
function isByName(item: Item): boolean {
	if (asObject(item.raw(shown)).mode !== 'name') return false;
	try {
		pageField.read(item);
		return true;
	} catch {
		return false;
	}
}

/** @param pages their names, if an item has its page by name */
function readPage(item: Item, pages?: Names): Page {
	const entered = pageField.read(item);
	const { mode, value, cachedResultName } = asObject(item.raw(shown));
	const isChosen = mode === 'list' && trimmed(asText(value)) === entered;
	const label = `page "${quotable((isChosen && asText(cachedResultName)) || entered)}"`;
	return { id: mode === 'name' && pages ? pages.findOne(entered, shown.displayName).id : entered, label };
}
