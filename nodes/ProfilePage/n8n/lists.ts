import type { ILoadOptionsFunctions, INodeType } from 'n8n-workflow';

import { Client } from '../service/client';
import type { ChoiceList } from '../service/types';
import { CredentialAccount } from './account';
import { readCredential } from './credential';
import { toErrorInOneText } from './errors';
import { ended } from './transport';

/** The user waits for the list. */
const WAIT = { timeout: 15_000, maxRetries: 0 };

/** The maximum number of choices in a list, which a person looks through. A search finds others. */
const MAX_CHOICES = 1000;

type ListMethods = Required<Pick<NonNullable<INodeType['methods']>, 'loadOptions' | 'listSearch'>>;

/** Returns the functions that load lists: for options, and for searchable resource locators. */
export function toListMethods(lists: Readonly<Record<string, ChoiceList>>): ListMethods {
	const methods: ListMethods = { loadOptions: {}, listSearch: {} };
	for (const [name, list] of Object.entries(lists)) {
		methods.loadOptions[name] = async function () {
			return (await loadChoices(this, list)).slice(0, MAX_CHOICES);
		};
		methods.listSearch[name] = async function (filter = '') {
			const wanted = filter.trim().toLowerCase();
			const choices = await loadChoices(this, list);
			const found = choices.filter((choice) => choice.name.toLowerCase().includes(wanted));
			return { results: found.slice(0, MAX_CHOICES) };
		};
	}
	return methods;
}

async function loadChoices(context: ILoadOptionsFunctions, { request, read }: ChoiceList) {
	const field = (name: string): unknown => context.getCurrentNodeParameter(name, { extractValue: true });
	const prepared = await ended(async () => {
		const account = new CredentialAccount(context, await readCredential(context, 0), WAIT);
		return { account, request: typeof request === 'function' ? request(account.paths, field) : request };
	});
	const list =
		prepared.outcome === 'done'
			? await new Client(prepared.result.account, WAIT).send(prepared.result.request, read)
			: prepared;
	if (list.outcome === 'done') return list.result;
	throw toErrorInOneText(context.getNode(), list);
}
