import type { INodeProperties } from 'n8n-workflow';

import { type Field, locatorField, notice } from '../../fields/field';
import type { Item } from '../../fields/item';
import { readExactly } from '../../fields/readers';
import type { ChoiceList } from '../../n8n/lists';
import { invalid } from '../../service/failure';
import { asObject, asText, quotable, trimmed } from '../../shared/values';
import { blockList, choicesOf, pageList, requestForList } from '../entries';

const shown = {
	displayName: 'Page',
	name: 'pageId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Choose a page…',
			typeOptions: { searchListMethod: 'pages', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. PAGE_home_65f1c0a2b3d4e' },
	],
} satisfies INodeProperties;

export const pageField = locatorField(shown, (value) =>
	readExactly(value, shown.displayName, 'Choose a page, or enter its ID.'),
);

/** Says where names come from: a list of blocks that cannot be loaded hardly says why. */
export function pathsNotice(displayOptions?: INodeProperties['displayOptions']): Field<undefined> {
	const text = 'If no names appear in a list, check Pages Path and Blocks Path in the credential.';
	return notice('pathsNotice', text, displayOptions);
}

export const pageChoices = {
	pages: { request: (paths) => requestForList(pageList, paths), parse: choicesOf(pageList) },
	blocks: {
		request: (paths, parameter) => {
			const pageId = trimmed(asText(parameter(shown.name)));
			const advice = 'Choose one. If it comes from an expression, run the nodes before this one first.';
			if (!pageId) throw invalid(shown.displayName, 'no page is known yet', advice);
			return requestForList(blockList, paths, pageId);
		},
		parse: choicesOf(blockList),
	},
} satisfies Record<string, ChoiceList>;

export interface Page {
	readonly id: string;
	/** With its name, if that is known, or its ID: such as `page "Home"`. */
	readonly label: string;
}

/** Returns the page of an item. Throws Failure if there is none. */
export function readPage(item: Item): Page {
	const id = pageField.read(item);
	const { mode, value, cachedResultName: name } = asObject(item.raw(shown));
	const isChosen = mode === 'list' && trimmed(asText(value)) === id;
	return { id, label: `page "${quotable((isChosen && asText(name)) || id)}"` };
}
