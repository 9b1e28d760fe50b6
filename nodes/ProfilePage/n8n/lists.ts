import { type ILoadOptionsFunctions, type INodeListSearchItems, type INodeType, isExpression } from 'n8n-workflow';

import { Client } from '../service/client';
import type { ServiceRequest } from '../service/request';
import type { Parse } from '../service/response';
import { toFailure } from '../shared/failure';
import { trimmed } from '../shared/values';
import { CredentialAccount } from './account';
import type { Credential } from './app';
import { loadCredential } from './credential';
import { toErrorInOneText } from './errors';

/** The user waits for the list. */
const SEND_OPTIONS = { timeout: 15_000, maxRetries: 0 };

/** The maximum number of choices in a list, which a person looks through. A search finds others. */
const MAX_CHOICES = 1000;

/** A list that the editor loads from the service. */
export interface ChoiceList {
	/** Makes its request of the fields of the credential and the node. May read another list first. May throw Failure. */
	readonly request: (
		credential: Credential,
		parameter: (name: string) => unknown,
		client: Client,
	) => ServiceRequest | Promise<ServiceRequest>;
	readonly parse: Parse<INodeListSearchItems[]>;
}

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
	const isFound = ({ name, value }: INodeListSearchItems) => name.toLowerCase().includes(wanted) && isPlain(value);
	try {
		const choices = await loadList(context, list);
		return withUniqueNames(choices.filter(isFound).slice(0, MAX_CHOICES).map(withoutExpression));
	} catch (error) {
		throw toErrorInOneText(context.getNode(), toFailure(error));
	}
}

async function loadList(
	context: ILoadOptionsFunctions,
	{ request, parse }: ChoiceList,
): Promise<INodeListSearchItems[]> {
	const credential = await loadCredential(context);
	const parameter = (name: string): unknown => context.getCurrentNodeParameter(name);
	const client = new Client(new CredentialAccount(context, credential, SEND_OPTIONS), SEND_OPTIONS);
	return await client.request(await request(credential, parameter, client), parse);
}

/** Whether a value stays as it is. The node refuses a text that contains "{{", and advises to turn it into an expression. */
function isPlain(value: unknown): boolean {
	return !isExpression(value) && !String(value).includes('{{');
}

/**
 * Returns a choice with a name that is text. What begins with "=" would be an expression once it is chosen: n8n evaluates
 * it with the data of the workflow, and the service that named it would get the result. A value like that is not offered.
 */
function withoutExpression(choice: INodeListSearchItems): INodeListSearchItems {
	const { name } = choice;
	return isExpression(name) ? { ...choice, name: `\u200B${name}` } : choice;
}

function withUniqueNames(choices: readonly INodeListSearchItems[]): INodeListSearchItems[] {
	const counts = new Map<string, number>();
	for (const { name } of choices) counts.set(name, (counts.get(name) ?? 0) + 1);
	return choices.map((choice) => {
		const { name, value } = choice;
		return counts.get(name) === 1 ? choice : { ...choice, name: `${name} (ID ${value})` };
	});
}
