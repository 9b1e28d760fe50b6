import type { IDataObject } from 'n8n-workflow';

import type { Credential } from '../../n8n/app';
import { readPath } from '../../service/address';
import { listIn, readPayload } from '../../service/payload';
import { unreadable } from '../../service/reasons';
import type { ServiceRequest } from '../../service/request';
import { invalid } from '../../shared/failure';
import {
	asList,
	asObject,
	asText,
	decodeEntities,
	hasContent,
	isBlank,
	isId,
	joined,
	trimmed,
} from '../../shared/values';

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
export function requestForList(list: List, { baseUrl, data }: Credential, pageId = ''): ServiceRequest<Listed[]> {
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
	const ofPage = of === 'blocks' ? 'the Page (to enter its name, set Page to Name), and ' : '';
	const advice = `Check ${ofPage}${displayName} in the credential: it must be the path of "${title}" in the API documentation of your service.`;
	return {
		method: 'GET',
		repeat: 'always',
		subject: `the list of ${of}`,
		effect: ['was', 'read'],
		path: joined('?', pathname, query),
		isUndocumented: true,
		advice,
		ifNotFound: advice,
		read: (envelope) => readList(envelope, list),
	};
}

/** A page or a block, in a list of the service. */
export interface Listed {
	readonly id: string;
	/** Empty if it has none. */
	readonly name: string;
	/** All that the service sends, first the ID and the name: the editor shows few columns. */
	readonly json: IDataObject;
}

/** Reads a whole list: blocks from top to bottom, at least one. Throws Failure if the envelope contains no such list. */
function readList(envelope: IDataObject, list: List): Listed[] {
	const { of, displayName, title, idProperties } = list;
	const failure = (
		problem: string,
		advice = `Check that ${displayName} in the credential is the path of "${title}".`,
	) => unreadable(problem, advice);
	// Its name is not documented either, but likely: there may be other things beside it.
	const found = asList(readPayload(envelope)[of]) ?? listIn(envelope);
	if (!found) throw failure('the response contains no list');
	if (isPart(envelope, found.length)) {
		const advice = `Find out from the API documentation of your service how to get all ${of} in one response, such as with per_page=100, and add that to ${displayName} in the credential.`;
		throw failure(`the response contains only a part of the ${of}`, advice);
	}
	const entries = found.map((each, index) => {
		const entry = toListed(asObject(each), idProperties);
		if (!entry) throw failure(`entry ${index + 1} of the list has no ID`);
		return entry;
	});
	if (of === 'pages') return entries;
	if (entries.length === 0) throw failure('the list contains no blocks');
	return fromTopToBottom(entries);
}

/** How responses in parts, such as those of JSON:API, HAL, and Laravel, say that there is more: beside the list, or in one of these. */
const PAGING = ['meta', 'pagination', 'paging', 'links', '_links'];
const ENTRY_COUNT = /^(total|count|total_?(count|items|results))$/i;
const PAGE_COUNT = /^(last_?page|page_?count|total_?pages)$/i;
const NEXT_PART = /^(next|next_?(page|page_?url|page_?token|cursor|token)|has_?(more|next))$/i;

/** Whether a response says that there are more entries than these. */
function isPart(envelope: IDataObject, count: number): boolean {
	const places = [envelope, readPayload(envelope)];
	const paging = places.flatMap((place) => PAGING.map((name) => asObject(place[name])));
	return [...places, ...paging].flatMap(Object.entries<unknown>).some(([name, value]) => {
		if (ENTRY_COUNT.test(name)) return Number(asText(value)) > count;
		if (PAGE_COUNT.test(name)) return Number(asText(value)) > 1;
		return NEXT_PART.test(name) && hasContent(value);
	});
}

/** Sorts blocks by their positions, if these are whole numbers. */
function fromTopToBottom(blocks: Listed[]): Listed[] {
	const isPositioned = blocks.every(({ json: { position } }) => /^-?\d+$/.test(asText(position)));
	return isPositioned ? blocks.sort((a, b) => Number(a.json.position) - Number(b.json.position)) : blocks;
}

/** The properties that may contain the name of an entry, as no response is documented. */
export const NAME_PROPERTIES = ['title', 'name', 'label'];

function toListed(json: IDataObject, idProperties: readonly string[]): Listed | undefined {
	const idProperty = idProperties.find((property) => isId(json[property]));
	if (idProperty === undefined) return undefined;
	const nameProperty = NAME_PROPERTIES.find((property) => !isBlank(asText(json[property]))) ?? '';
	const name = trimmed(decodeEntities(asText(json[nameProperty])));
	const first = { [idProperty]: json[idProperty], ...(name && { [nameProperty]: name }) };
	return { id: asText(json[idProperty]), name, json: { ...first, ...json, ...first } };
}
