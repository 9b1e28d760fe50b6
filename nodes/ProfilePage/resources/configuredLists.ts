import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';

import type { Credential } from '../n8n/app';
import { readPath } from '../service/address';
import { listIn, readPayload } from '../service/payload';
import { unreadable } from '../service/reasons';
import type { ServiceRequest } from '../service/request';
import { invalid } from '../shared/failure';
import { asList, asObject, asText, isBlank, isId, joined, trimmed } from '../shared/values';

/** A list that the contract names, but does not describe: its path is in the credential. */
export interface List {
	readonly of: 'pages' | 'blocks';
	/** The field of the credential, as the editor shows it. */
	readonly displayName: string;
	/** What the contract calls it. */
	readonly title: string;
	readonly idProperties: readonly string[];
}

export const pageList: List = {
	of: 'pages',
	displayName: 'Pages Path',
	title: 'List all pages',
	idProperties: ['page_id', 'id'],
};

export const blockList: List = {
	of: 'blocks',
	displayName: 'Blocks Path',
	title: 'List blocks in a page',
	idProperties: ['id', 'block_id'],
};

/**
 * Returns the request for a list. Throws Failure if its path is missing, or could leave the service.
 *
 * @param pageId of the page whose list it is; empty if it is not that of a page
 */
export function requestForList(list: List, { baseUrl, data }: Credential, pageId = ''): ServiceRequest<Entry[]> {
	const { of, displayName, title } = list;
	const entered = asText(data[`${of}Path`]).replace(/^\s*GET\s+/i, '');
	if (isBlank(entered)) {
		const advice = `Find "${title}" in the API documentation of your service, and enter its path as ${displayName} in the credential. Reorder Blocks, with Page set to By ID, works without it.`;
		throw invalid(displayName, 'the credential does not contain it', advice);
	}
	// In a path, an ID of dots would lead to another one.
	if (/^\.+$/.test(pageId)) throw invalid('Page', `"${pageId}" is not an ID`, 'Enter the ID of the page.');
	const path = trimmed(entered).replaceAll('{page_id}', encodeURIComponent(pageId));
	const { pathname, search } = readPath(path, displayName, baseUrl);
	const isComplete = pageId === '' || entered.includes('{page_id}');
	const query = isComplete ? search : joined('&', search, `page_id=${encodeURIComponent(pageId)}`);
	const advice = `Check ${of === 'blocks' ? 'the Page, and ' : ''}${displayName} in the credential: it must be the path of "${title}" in the API documentation of your service.`;
	return {
		method: 'GET',
		repeat: 'always',
		subject: `the list of ${of}`,
		effect: ['was', 'read'],
		path: joined('?', pathname, query),
		isUndocumented: true,
		advice,
		ifNotFound: advice,
		read: (envelope) => parseEntries(envelope, list),
	};
}

/** A page or a block, in a list of the service. */
export interface Entry {
	readonly id: string;
	/** Empty if it has none. */
	readonly name: string;
	/** All that the service sends, first the ID and the name: the editor shows few columns. */
	readonly json: IDataObject;
}

/** Reads the entries of a list: blocks from top to bottom, at least one. Throws Failure if the envelope contains no such list. */
function parseEntries(envelope: IDataObject, list: List): Entry[] {
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
	if (list.of === 'pages') return entries;
	if (entries.length === 0) throw failure('the list contains no blocks');
	return fromTopToBottom(entries);
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
	const nameProperty = NAME_PROPERTIES.find((property) => !isBlank(asText(json[property])));
	const first = [idProperty, ...(nameProperty === undefined ? [] : [nameProperty])];
	return {
		id: asText(json[idProperty]),
		name: nameProperty === undefined ? '' : trimmed(asText(json[nameProperty])),
		json: { ...Object.fromEntries(first.map((property) => [property, json[property]])), ...json },
	};
}

/** Returns an entry of a list as the editor shows it. */
export function toChoice({ id, name, json: { type } }: Entry, index: number): INodeListSearchItems {
	return { name: name || (type ? `${asText(type)} at position ${index}` : id), value: id };
}
