import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';

import type { Item } from '../fields/item';
import { readLimit } from '../fields/limit';
import type { Credential } from '../n8n/app';
import { readPath } from '../service/address';
import { listIn, readPayload } from '../service/payload';
import { unreadable } from '../service/reasons';
import type { ServiceRequest } from '../service/request';
import type { Parse } from '../service/response';
import { invalid } from '../shared/failure';
import {
	asList,
	asObject,
	asText,
	capitalize,
	findRepeated,
	isBlank,
	isId,
	joined,
	quotable,
	trimmed,
} from '../shared/values';
import { type Call, sending } from './operation';

/** A list that the contract names, but does not describe: its path is in the credential. */
export interface List {
	readonly of: 'pages' | 'blocks';
	/** The field of the credential, as the editor shows it. */
	readonly displayName: string;
	readonly title: string;
	readonly idProperties: readonly string[];
	readonly request: Omit<ServiceRequest, 'path'>;
}

export const pageList = listOf('pages', 'Pages Path', 'List all pages', ['page_id', 'id']);

export const blockList = listOf('blocks', 'Blocks Path', 'List blocks in a page', ['id', 'block_id']);

function listOf(of: List['of'], displayName: string, title: string, idProperties: readonly string[]): List {
	const checkPath = `check ${displayName} in the credential: it must be the path of "${title}" in the API documentation of your service.`;
	// The likeliest first.
	const [advice, ifNotFound] =
		of === 'blocks'
			? [`Check the Page. If it is right, ${checkPath}`, `${capitalize(checkPath)} If it is right, check the Page.`]
			: [capitalize(checkPath), capitalize(checkPath)];
	const request: List['request'] = {
		method: 'GET',
		repeat: 'always',
		isUndocumented: true,
		ifNotFound,
		subject: `the list of ${of}`,
		effect: ['was', 'read'],
		advice,
	};
	return { of, displayName, title, idProperties, request };
}

/**
 * Returns the request for a list. Throws Failure if its path is missing, or could leave the service.
 *
 * @param pageId of the page whose list it is; empty if it is not that of a page
 */
export function requestForList(list: List, { baseUrl, data }: Credential, pageId = ''): ServiceRequest {
	const { displayName, title, request } = list;
	const entered = asText(data[`${list.of}Path`]).replace(/^\s*GET\s+/i, '');
	const advice = `Find "${title}" in the API documentation of your service, and enter its path as ${displayName} in the credential. Reorder Blocks, with Page set to By ID, works without it.`;
	if (isBlank(entered)) throw invalid(displayName, 'the credential does not contain it', advice);
	if (!pageId.isWellFormed() || /^\.{1,2}$|\\/.test(pageId)) {
		throw invalid('Page', `a path cannot contain the ID "${quotable(pageId)}"`, 'Check the ID of the page.');
	}
	const path = trimmed(entered).replaceAll('{page_id}', encodeURIComponent(pageId));
	const { pathname, search } = readPath(path, displayName, baseUrl);
	const isComplete = pageId === '' || entered.includes('{page_id}');
	const query = isComplete ? search : withParameter(search, 'page_id', pageId);
	return { ...request, path: joined('?', pathname, query) };
}

function withParameter(query: string, name: string, value: string): string {
	const others = query.split('&').filter((part) => part !== '' && part.split('=', 1)[0] !== name);
	return [...others, `${name}=${encodeURIComponent(value)}`].join('&');
}

/** A page or a block, in a list of the service. */
export interface Entry {
	readonly id: string;
	/** Empty if it has none. */
	readonly name: string;
	/** Its name as the service sends it, with its property. */
	readonly named?: IDataObject;
	/** All that the service sends, first the ID and the name: the editor shows few columns. */
	readonly json: IDataObject;
}

/** Plans to read a list, up to the limit. `pageId` is that of the page whose list it is. */
export function planList(item: Item, list: List, pageId?: string): Call {
	const limit = readLimit(item);
	return sending(requestForList(list, item.credential, pageId), (envelope) => {
		const entries = parseEntries(envelope, list).slice(0, limit);
		return { items: item.output(entries.map(({ json }) => json)) };
	});
}

/** Reads the entries of a list: blocks from top to bottom, at least one. Throws Failure if the envelope contains no such list. */
export function parseEntries(envelope: IDataObject, list: List): Entry[] {
	const failure = (problem: string) =>
		unreadable(problem, `Check that ${list.displayName} in the credential is the path of "${list.title}".`);
	// Its name is not documented either, but likely: there may be other things beside it.
	const found = asList(readPayload(envelope)[list.of]) ?? listIn(envelope);
	if (!found) throw failure('the response contains no list');
	const entries = found.map((each, index) => {
		const entry = toEntry(asObject(each), list);
		if (!entry) throw failure(`entry ${index + 1} of the list has no ID`);
		return entry;
	});
	if (list.of === 'blocks' && entries.length === 0) throw failure('the list contains no blocks');
	const repeated = findRepeated(entries.map(({ id }) => id));
	if (repeated) throw failure(`entries ${repeated[0] + 1} and ${repeated[1] + 1} of the list have the same ID`);
	return list.of === 'blocks' ? fromTopToBottom(entries) : entries;
}

/** Sorts blocks by their positions, if these are whole numbers. */
function fromTopToBottom(blocks: Entry[]): Entry[] {
	const isPositioned = blocks.every(({ json: { position } }) => /^-?\d+$/.test(asText(position)));
	return isPositioned ? blocks.sort((a, b) => Number(a.json.position) - Number(b.json.position)) : blocks;
}

/** The properties that may contain the name of an entry, as no response is documented. */
export const NAME_PROPERTIES = ['title', 'name', 'label'];

function toEntry(json: IDataObject, { idProperties }: List): Entry | undefined {
	const idProperty = idProperties.find((property) => isId(json[property]));
	if (idProperty === undefined) return undefined;
	const id = json[idProperty];
	const nameProperty = NAME_PROPERTIES.find((property) => !isBlank(asText(json[property])));
	const name = nameProperty === undefined ? '' : trimmed(asText(json[nameProperty]));
	const named = nameProperty === undefined ? {} : { [nameProperty]: json[nameProperty] };
	return { id: asText(id), name, named, json: { [idProperty]: id, ...named, ...json } };
}

/** Returns how to read a list as the editor shows it. */
export function choicesOf(list: List): Parse<INodeListSearchItems[]> {
	return (envelope) => parseEntries(envelope, list).map(toChoice);
}

function toChoice({ id, name, json: { type } }: Entry, index: number) {
	return { name: name || (type ? `${asText(type)} at position ${index}` : id), value: id };
}
