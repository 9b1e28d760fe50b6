import type { IDataObject } from 'n8n-workflow';

import { type Item, planEach } from '../../fields/item';
import { shorten } from '../../fields/readers';
import { readCredential } from '../../n8n/credential';
import { serviceUrl } from '../../service/baseUrl';
import { contentsOf, readPayload } from '../../service/response';
import { done, isChange, type ServiceRequest, type StatusExplanations } from '../../service/types';
import { hasContent, isBlank, isObject } from '../../shared/values';
import { forgetLinks } from '../links/knownLinks';
import { type Call, type Operation, sending } from '../operation';
import { readBody, readQuery } from './parameters';
import { keepOrder, requestFields, safeToRepeat } from './requestFields';
import { decodeFully, isAddress, readServicePath } from './servicePath';

const { method: methodField, path: pathField, output: outputField } = requestFields;

/** Any call of the service, with a path from its documentation. */
export const sendRequest: Operation = {
	option: {
		name: 'Send Request',
		value: 'request',
		description: 'Send any request to the API of the service',
		action: 'Send API request',
	},
	fields: Object.values(requestFields),
	options: [keepOrder, safeToRepeat],
	plan: async (items) => {
		const baseUrls = await readBaseUrls(items);
		return planEach(items, (item) => {
			const toOutput = OUTPUTS[outputField.read(item)];
			const { request, key } = readRequest(item, baseUrls.get(item));
			const read = (envelope: IDataObject) => done({ items: item.output(toOutput(envelope)) }, showsEffect(envelope));
			return { key, ...sending(request, read) };
		});
	},
};

/** Returns the Base URLs for the items in which the full address of an endpoint was entered. */
async function readBaseUrls(items: readonly Item[]): Promise<Map<Item, string>> {
	const baseUrls = new Map<Item, string>();
	for (const item of items) {
		try {
			if (!isAddress(pathField.read(item))) continue;
			const { data } = await readCredential(item.context, item.index);
			baseUrls.set(item, serviceUrl(data.baseUrl, ''));
		} catch {
			// The path is read again for the request, which reports that it or the credential cannot be used.
		}
	}
	return baseUrls;
}

/** Some services respond to unknown paths with 403 or a redirect. */
const STATUSES: StatusExplanations = {
	'3xx': [
		'the service responded with a redirect, or has nothing at this path',
		'Check the Method and the Path, and the Base URL in the credential.',
	],
	403: [
		'the service denied access, or has nothing at this path',
		'Check the Method and the Path, the permissions of the app in the settings of the service, and the Base URL in the credential.',
	],
	404: ['the service has nothing at this path', 'Check the Method and the Path, and the Base URL in the credential.'],
	body: ['', 'Check the Path, and the Base URL in the credential.'],
};

/** What n8n writes for lists without values, objects, and invalid numbers and dates. */
const NO_TEXT = /^[\s,]*$|\[object |^NaN$|^Invalid Date/;

function readRequest(item: Item, baseUrl?: string): Pick<Call, 'key' | 'request'> {
	const method = methodField.read(item);
	item.checkTemplate(pathField.shown, (value) => isBlank(value) || NO_TEXT.test(String(value)));
	const { pathname, search } = readServicePath(pathField.read(item), pathField.shown.displayName, baseUrl);
	const query = [search, readQuery(item)].filter(Boolean).join('&');
	const advice = `Check the Method, the Path, ${method === 'GET' ? 'and the parameters' : 'the parameters, and the body'}.`;
	const request: ServiceRequest = {
		method,
		path: query ? `${pathname}?${query}` : pathname,
		...(method !== 'GET' && readBody(item)),
		// The other methods may be performed twice without harm (RFC 9110, section 9.2.2).
		idempotent: safeToRepeat.read(item) || !['PATCH', 'POST'].includes(method),
		success: 'unless denied',
		statuses: { ...STATUSES, '4xx': ['the service rejected the request', advice] },
		subject: `the request ${method} ${shorten(pathname)}`,
		effect: ['was', 'completed'],
		advice,
	};
	if (isChange(request)) forgetLinks(item.context);
	const isOrdered = isChange(request) && keepOrder.read(item);
	return { request, ...(isOrdered && { key: decodeFully(pathname) }) };
}

/** Whether a response contains more than errors and texts, such as the ID of something that was created. */
function showsEffect(envelope: IDataObject): boolean {
	const fields = Object.entries(envelope).filter(([name]) => !/^errors?$/.test(name));
	return fields.some(([, value]) => typeof value !== 'string' && hasContent(value));
}

/** What to return of a response, by the choices of Output. */
const OUTPUTS = { items: toItems, response: (envelope: IDataObject) => [envelope] };

/** Returns what a response contains: an item for each entry of its list, or one item. */
export function toItems(envelope: IDataObject): IDataObject[] {
	const entries = listIn(envelope) ?? [readPayload(envelope)];
	return entries.map((entry) => (isObject(entry) ? entry : { value: entry as IDataObject }));
}

/** Returns the list that a response contains; undefined if it contains none, or more than a list. */
export function listIn(envelope: IDataObject): unknown[] | undefined {
	return Array.isArray(envelope.data) ? envelope.data : findList(readPayload(envelope));
}

/** Returns the only list, if everything beside it is a total, a flag, or empty. An object with an ID is no list. */
function findList(payload: IDataObject): unknown[] | undefined {
	if (payload.id !== undefined) return undefined;
	const values = contentsOf(payload);
	const contents = values.filter(isContent);
	const [list, ...others] = contents.length > 0 ? contents : values.filter(Array.isArray);
	return Array.isArray(list) && others.length === 0 ? list : undefined;
}

/** Whether a value is a text or has entries. Totals and flags do not count. */
function isContent(value: unknown): boolean {
	if (typeof value === 'string') return value !== '';
	return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}
