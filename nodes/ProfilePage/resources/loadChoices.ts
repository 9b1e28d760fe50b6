import type { ILoadOptionsFunctions, INodeType } from 'n8n-workflow';

import { readCredential } from '../auth/credential';
import { ServiceClient } from '../service/client';
import { toErrorInOneText } from '../shared/nodeErrors';
import type { ChoiceList } from './operation';

/** The user waits for the list. */
const WAIT = { timeout: 15_000, maxRetries: 0 };

type ListMethods = Required<Pick<NonNullable<INodeType['methods']>, 'loadOptions' | 'listSearch'>>;

/** Returns the functions that load lists: for options, and for searchable resource locators. */
export function toListMethods(lists: Readonly<Record<string, ChoiceList>>): ListMethods {
	const methods: ListMethods = { loadOptions: {}, listSearch: {} };
	for (const [name, list] of Object.entries(lists)) {
		methods.loadOptions[name] = async function () {
			return await loadChoices(this, list);
		};
		methods.listSearch[name] = async function (filter = '') {
			const wanted = filter.trim().toLowerCase();
			const choices = await loadChoices(this, list);
			return { results: choices.filter((choice) => choice.name.toLowerCase().includes(wanted)) };
		};
	}
	return methods;
}

async function loadChoices(context: ILoadOptionsFunctions, { request, read }: ChoiceList) {
	try {
		const client = new ServiceClient(context, await readCredential(context, 0), WAIT);
		return await client.send(request, read);
	} catch (error) {
		throw toErrorInOneText(context.getNode(), error);
	}
}
