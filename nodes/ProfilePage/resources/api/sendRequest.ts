import type { IDataObject } from 'n8n-workflow';

import type { Item } from '../../fields/item';
import { shorten } from '../../fields/readers';
import { readCredential } from '../../n8n/credential';
import { serviceUrl } from '../../service/baseUrl';
import type { Client } from '../../service/client';
import { changedNothing, done } from '../../service/failure';
import { listIn, readPayload } from '../../service/payload';
import { isChange, type ServiceRequest, type StatusExplanations } from '../../service/request';
import { hasContent, isBlank, isObject } from '../../shared/values';
import { forgetLinks } from '../links/knownLinks';
import { type Call, type Operation, planEach } from '../operation';
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
			const parse = (envelope: IDataObject) => done({ items: item.output(toOutput(envelope)) }, showsChange(envelope));
			const perform = async (client: Client) => {
				const ended = await client.request(request, parse);
				if (isChange(request) && !changedNothing(ended.outcome)) forgetLinks(item.context);
				return ended;
			};
			return { key, request, perform };
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
		adviceIfNotJson: 'Check the Path, and the Base URL in the credential.',
		statuses: { ...STATUSES, '4xx': ['the service rejected the request', advice] },
		subject: `the request ${method} ${shorten(pathname)}`,
		effect: ['was', 'completed'],
		advice,
	};
	const isOrdered = isChange(request) && keepOrder.read(item);
	return { request, ...(isOrdered && { key: decodeFully(pathname) }) };
}

/** Whether a response contains more than errors and texts, such as the ID of something that was created. */
function showsChange(envelope: IDataObject): boolean {
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
