import type { ILoadOptionsFunctions, INodeListSearchItems, INodeType } from 'n8n-workflow';

import type { Client } from '../service/client';
import { LIST_TIMEOUT_MS } from '../service/waiting';
import { toFailure } from '../shared/failure';
import { trimmed } from '../shared/values';
import { openClient } from './account';
import type { Credential } from './app';
import { loadCredential } from './credential';
import { toErrorInOneText } from './errors';

/** The user waits for the list. */
const SEND_OPTIONS = { timeout: LIST_TIMEOUT_MS, maxRetries: 0 };

/** Where the editor needs a list: what to read it with, and the other fields of the node. */
export interface ListContext {
	readonly client: Client;
	readonly credential: Credential;
	readonly parameter: (name: string) => unknown;
}

/** Loads the choices of a list from the service. Throws Failure. */
export type ChoiceList = (context: ListContext) => Promise<INodeListSearchItems[]>;

type ListMethods = Required<Pick<NonNullable<INodeType['methods']>, 'loadOptions' | 'listSearch'>>;

/** Returns the functions that load lists: for options, and for searchable resource locators. */
export function toListMethods(lists: Readonly<Record<string, ChoiceList>>): ListMethods {
	const methods: ListMethods = { loadOptions: {}, listSearch: {} };
	for (const [name, list] of Object.entries(lists)) {
		methods.loadOptions[name] = async function () {
			return await loadChoices(this, list);
		};
		methods.listSearch[name] = async function (filter = '') {
			return { results: await loadChoices(this, list, filter) };
		};
	}
	return methods;
}

async function loadChoices(context: ILoadOptionsFunctions, list: ChoiceList, filter = '') {
	const wanted = trimmed(filter).toLowerCase();
	try {
		const credential = await loadCredential(context);
		const parameter = (name: string): unknown => context.getCurrentNodeParameter(name);
		const client = openClient(context, credential, SEND_OPTIONS);
		const choices = await list({ client, credential, parameter });
		return choosable(choices.filter(({ name }) => name.toLowerCase().includes(wanted)));
	} catch (error) {
		throw toErrorInOneText(context.getNode(), toFailure(error));
	}
}

/** What is, or may become, an expression once it is chosen: n8n would send its value to the service that named it. */
const EXPRESSION = /^=|\{\{/;

/** Returns the choices whose values are no expressions, with names that are unique, and text. */
function choosable(choices: readonly INodeListSearchItems[]): INodeListSearchItems[] {
	const counts = new Map<string, number>();
	for (const { name } of choices) counts.set(name, (counts.get(name) ?? 0) + 1);
	const offered = choices.filter(({ value }) => !EXPRESSION.test(String(value)));
	return offered.map((choice) => {
		const { name, value } = choice;
		const unique = counts.get(name) === 1 ? name : `${name} (ID ${value})`;
		return { ...choice, name: unique.replace(/^=/, '\u200B=') };
	});
}
