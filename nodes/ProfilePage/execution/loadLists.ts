import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodeType,
} from 'n8n-workflow';

import { readCredential } from '../authentication';
import type { ChoiceList } from '../operation';
import { callService } from '../transport/callService';
import { ServiceClient } from '../transport/serviceClient';
import { toListError } from './nodeErrors';

/** How long somebody who has opened a list waits for it, in milliseconds. */
const WAIT = { timeout: 15_000, maxRetries: 0 };

/**
 * Makes the functions by which the editor loads lists.
 *
 * @param lists by the names under which fields refer to them
 * @returns two functions of each name: one for options, one for a resource locator, which can be searched
 */
export function toMethods(
	lists: Readonly<Record<string, ChoiceList>>,
): Required<Pick<NonNullable<INodeType['methods']>, 'loadOptions' | 'listSearch'>> {
	const entries = Object.entries(lists);
	return {
		loadOptions: Object.fromEntries(entries.map(([name, list]) => [name, optionsLoader(list)])),
		listSearch: Object.fromEntries(entries.map(([name, list]) => [name, searcher(list)])),
	};
}

function optionsLoader(list: ChoiceList) {
	return async function (this: ILoadOptionsFunctions): Promise<INodeListSearchItems[]> {
		return await loadChoices(this, list);
	};
}

function searcher(list: ChoiceList) {
	return async function (this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
		const choices = await loadChoices(this, list);
		const wanted = filter.trim().toLowerCase();
		return { results: choices.filter(({ name }) => name.toLowerCase().includes(wanted)) };
	};
}

/** @throws NodeOperationError that says why there is no list */
async function loadChoices(
	context: ILoadOptionsFunctions,
	{ request, toChoices }: ChoiceList,
): Promise<INodeListSearchItems[]> {
	try {
		const client = new ServiceClient(context, await readCredential(context, 0), WAIT);
		return toChoices(await callService(client, request));
	} catch (error) {
		throw toListError(context.getNode(), error as Error);
	}
}
