import type { INodeProperties } from 'n8n-workflow';

import { type Field, locatorField, notice } from '../../fields/field';
import type { Item } from '../../fields/item';
import { readExactly } from '../../fields/readers';
import { runState } from '../../n8n/context';
import type { ChoiceList } from '../../n8n/lists';
import type { Client } from '../../service/client';
import { invalid, toFailure } from '../../shared/failure';
import { asObject, asText, isObject, quotable, trimmed } from '../../shared/values';
import { blockList, choicesOf, pageList, requestForList } from '../entries';
import { loadNames, Names } from '../names';
import type { Inputs, PageNames } from '../operation';

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
		{ displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. Home' },
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. PAGE_home_65f1c0a2b3d4e' },
	],
} satisfies INodeProperties;

export const pageField = locatorField(shown, (value) =>
	readExactly(value, shown.displayName, 'Choose a page, or enter its name or its ID.'),
);

/** Says where names come from: a list of blocks that cannot be loaded hardly says why. */
export function pathsNotice(displayOptions?: INodeProperties['displayOptions']): Field<undefined> {
	const text = 'If no names appear in a list, check Pages Path and Blocks Path in the credential.';
	return notice('pathsNotice', text, displayOptions);
}

export const pageChoices = {
	pages: { request: (paths) => requestForList(pageList, paths), parse: choicesOf(pageList) },
	blocks: {
		request: async (paths, parameter, client) => {
			const entered = parameter(shown.name);
			const { mode, value } = isObject(entered) ? entered : { mode: 'id', value: entered };
			const page = trimmed(asText(value));
			const advice = 'Choose one. If it comes from an expression, run the nodes before this one first.';
			if (!page) throw invalid(shown.displayName, 'no page is known yet', advice);
			const pages = isName(mode, page) ? await loadNames(client, paths) : undefined;
			return requestForList(blockList, paths, pages?.findOne(page, shown.displayName).id ?? page);
		},
		parse: choicesOf(blockList),
	},
} satisfies Record<string, ChoiceList>;

export interface Page {
	readonly id: string;
	/** With its name, if that is known, or its ID: such as `page "Home"`. */
	readonly label: string;
}

/** Whether what was entered is looked up in the list of pages. */
function isName(mode: unknown, page: string): boolean {
	return mode === 'name' && !page.startsWith('PAGE');
}

/** What a run has read, for its next try. */
const stateOf = runState((): { pages?: PageNames } => ({}));

/** Reads the names of the pages, once a run, if an item has its page by name. */
export async function loadPages(items: Inputs, client: Client): Promise<PageNames | undefined> {
	const [{ context, paths }] = items;
	const state = stateOf(context);
	if (!(state.pages instanceof Names) && items.some(hasName)) {
		state.pages = await loadNames(client, paths).catch(toFailure);
	}
	return state.pages;
}

/** An item whose page is invalid has none. */
function hasName(item: Item): boolean {
	const { mode } = asObject(item.raw(shown));
	try {
		return mode === 'name' && isName(mode, pageField.read(item));
	} catch {
		return false;
	}
}

/** Returns the page of an item. Throws Failure if there is none, or its name is not among those of the pages. */
export function readPage(item: Item, pages?: PageNames): Page {
	const entered = pageField.read(item);
	const { mode, value, cachedResultName } = asObject(item.raw(shown));
	const isChosen = mode === 'list' && trimmed(asText(value)) === entered;
	const label = `page "${quotable((isChosen && asText(cachedResultName)) || entered)}"`;
	if (!isName(mode, entered)) return { id: entered, label };
	if (pages instanceof Names) return { id: pages.findOne(entered, shown.displayName).id, label };
	throw pages ?? invalid(shown.displayName, 'the names of the pages were not read');
}
