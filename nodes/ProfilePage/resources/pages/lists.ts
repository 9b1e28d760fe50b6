import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';

import type { Item } from '../../fields/item';
import { readLimit } from '../../fields/limit';
import { isExact } from '../../fields/readers';
import { settle } from '../../n8n/errors';
import { withUniqueNames } from '../../n8n/lists';
import type { ListPaths } from '../../service/account';
import type { Client } from '../../service/client';
import { done, type Ended, failed, invalid, mapDone } from '../../service/failure';
import { listIn } from '../../service/payload';
import type { ServiceRequest } from '../../service/request';
import type { Parse } from '../../service/response';
import { asObject, asText, isBlank } from '../../shared/values';
import { readServicePath } from '../api/servicePath';
import { planEach, type PlannedCall } from '../operation';

/** A list that the contract names, but does not describe: its path is in the credential. */
export interface List {
	/** The field of the credential, as the editor shows it, and its name. */
	readonly field: string;
	readonly name: 'pagesPath' | 'blocksPath';
	/** Its title in the documentation of the service. */
	readonly title: string;
	/** The fields that may contain the ID of an entry. */
	readonly idFields: readonly string[];
	/** Its request, without the path. */
	readonly request: ServiceRequest;
}

export const pageList = listOf('Pages Path', 'pagesPath', 'List all pages', ['page_id', 'id']);

export const blockList = listOf('Blocks Path', 'blocksPath', 'List blocks in a page', ['id', 'block_id']);

function listOf(field: string, name: List['name'], title: string, idFields: readonly string[]): List {
	const advice = `Check ${field} in the credential: it must be the path of "${title}" in the API documentation of your service.`;
	// Some services respond to unknown paths with 403 or a redirect.
	const notFound = ['the service denied access, or has nothing at this path', advice] as const;
	const request: ServiceRequest = {
		method: 'GET',
		path: '',
		idempotent: true,
		success: 'unless denied',
		adviceIfNotJson: advice,
		statuses: {
			'3xx': notFound,
			403: notFound,
			404: ['the service has nothing at this path', advice],
		},
		subject: idFields.includes('block_id') ? 'the list of blocks' : 'the list of pages',
		effect: ['was', 'read'],
		advice,
	};
	return { field, name, title, idFields, request };
}

/** Returns the request for a list. Throws Failed if its path is missing, or could leave the service. */
export function requestForList(
	{ field, name, title, request }: List,
	paths: ListPaths,
	pageId?: string,
): ServiceRequest {
	const entered = asText(paths[name]).replace(/^\s*GET\s+/i, '');
	const advice = `Find "${title}" in the API documentation of your service, and enter its path as ${field} in the credential.`;
	if (isBlank(entered)) throw invalid(field, 'the credential does not contain it', advice);
	const parameter = new URLSearchParams(pageId === undefined ? {} : { page_id: pageId }).toString();
	const [, encoded = ''] = parameter.replaceAll('+', '%20').split('=');
	const inserted = entered.replaceAll('{page_id}', encoded);
	const { pathname, search } = readServicePath(inserted, field, paths.baseUrl);
	const others = search.split('&').filter((part) => !/^page_id(=|$)/.test(part));
	const query = inserted === entered ? [...others, parameter].filter(Boolean).join('&') : search;
	return { ...request, path: query ? `${pathname}?${query}` : pathname };
}

/** A page or a block, in a list of the service. */
export interface Entry {
	readonly id: string;
	/** Empty if it has none. */
	readonly name: string;
	/** Its name, by the field that contains it. */
	readonly named: IDataObject;
	/** As the service sends it, the ID and the name first. */
	readonly json: IDataObject;
}

/** Fetches a list whose path is in the credential. */
export async function fetchList(client: Client, list: List, pageId?: string): Promise<Ended<Entry[]>> {
	const request = settle(() => requestForList(list, client.account.paths, pageId));
	return request.outcome === 'done' ? await client.request(request.result, entriesIn(list)) : request;
}

/** Plans to read a list for each item, up to the limit. `readPageId` returns the page whose list it is. */
export function planLists(items: readonly Item[], list: List, readPageId?: (item: Item) => string): PlannedCall[] {
	return planEach(items, (item) => {
		const pageId = readPageId?.(item);
		const limit = readLimit(item);
		const perform = async (client: Client) =>
			mapDone(await fetchList(client, list, pageId), (entries) => {
				return { items: item.output(entries.slice(0, limit).map(({ json }) => json)) };
			});
		return { request: list.request, perform };
	});
}

/** Returns how to read the entries of a list; blocks from top to bottom, at least one. Fails if they are not a list. */
export function entriesIn(list: List): Parse<Entry[]> {
	return (envelope) => {
		const entries = listIn(envelope)?.map((entry) => toEntry(asObject(entry), list));
		const isOfBlocks = list === blockList;
		const problem = entries ? findProblem(entries, isOfBlocks) : 'the response contains no list';
		if (entries && !problem) return done(isOfBlocks ? fromTopToBottom(entries) : entries);
		return failed(problem ?? '', `Check that ${list.field} in the credential is the path of "${list.title}".`);
	};
}

function findProblem(entries: readonly Entry[], isOfBlocks: boolean): string | undefined {
	if (isOfBlocks && entries.length === 0) return 'the list contains no blocks';
	const entryNumbers = new Map<string, number>();
	for (const [index, { id }] of entries.entries()) {
		const earlier = entryNumbers.get(id);
		if (isBlank(id)) return `entry ${index + 1} of the list has no ID`;
		if (earlier !== undefined) return `entries ${earlier} and ${index + 1} of the list have the same ID`;
		entryNumbers.set(id, index + 1);
	}
	return undefined;
}

/** Sorts blocks by their positions if all have a whole one. */
function fromTopToBottom(blocks: Entry[]): Entry[] {
	const isPositioned = blocks.every(({ json: { position } }) => /^-?\d+$/.test(asText(position)));
	return isPositioned ? blocks.sort((a, b) => Number(a.json.position) - Number(b.json.position)) : blocks;
}

/** No response is documented: several names are accepted. */
function toEntry(json: IDataObject, { idFields }: List): Entry {
	const find = (fields: readonly string[]) => fields.find((field) => !isBlank(asText(json[field])));
	const idField = find(idFields.filter((field) => typeof json[field] !== 'number' || isExact(json[field]))) ?? '';
	const nameField = find(['title', 'name', 'label']);
	const named = nameField ? { [nameField]: json[nameField] } : {};
	const first = idField ? { [idField]: json[idField], ...named } : {};
	const name = nameField ? asText(json[nameField]).trim() : '';
	return { id: asText(json[idField]), name, named, json: { ...first, ...json } };
}

/** Returns how to read a list as the editor shows it. */
export function choicesOf(list: List): Parse<INodeListSearchItems[]> {
	const parse = entriesIn(list);
	return (envelope) =>
		mapDone(parse(envelope), (entries) =>
			withUniqueNames(
				entries.map(({ id, name, json: { type } }, index) => {
					return { name: name || (type ? `${asText(type)} at position ${index}` : id), value: id };
				}),
			),
		);
}
