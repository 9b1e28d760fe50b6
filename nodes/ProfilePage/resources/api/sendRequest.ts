import type { IDataObject } from 'n8n-workflow';

import type { Item } from '../../fields/item';
import { isAddress, readServicePath } from '../../fields/readers';
import { listIn, readPayload } from '../../service/payload';
import { isChange, type ServiceRequest, type StatusExplanations } from '../../service/request';
import { hasContent, isBlank, isObject, quotable } from '../../shared/values';
import { forgetLinks } from '../links/knownLinks';
import { type Operation, planEach, sending } from '../operation';
import { readBody, readQuery } from './parameters';
import { keepOrder, requestFields, safeToRepeat } from './requestFields';

const { method: methodField, path: pathField, output: outputField } = requestFields;

/** Any call of the service, with a path from its documentation. */
export const sendRequest: Operation = {
	shown: {
		name: 'Send Request',
		value: 'request',
		description: 'Send any request to the API of the service',
		action: 'Send API request',
	},
	fields: Object.values(requestFields),
	options: [keepOrder, safeToRepeat],
	plan: (items) =>
		planEach(items, (item) => {
			const toOutput = OUTPUTS[outputField.read(item)];
			const { request, key } = readRequest(item);
			const parse = (envelope: IDataObject) => ({ items: item.output(toOutput(envelope)) });
			const call = sending(request, parse, (outcome) => {
				if (isChange(request) && outcome !== 'not applied') forgetLinks(item.context);
			});
			return { key, ...call };
		}),
};

/** Returns what n8n writes for a value in a text; an empty text for an object that cannot be written. */
function writtenByN8n(value: unknown): string {
	try {
		return String(value);
	} catch {
		return '';
	}
}

/** Reads the path and query of a request. Throws Failed if it could leave the service. */
function readPath(item: Item): string {
	item.checkTemplate(pathField.shown, (value) => isBlank(value) || NO_TEXT.test(writtenByN8n(value)));
	const entered = pathField.read(item);
	const baseUrl = isAddress(entered) ? item.paths.baseUrl : undefined;
	const { pathname, search } = readServicePath(entered, pathField.shown.displayName, baseUrl);
	const query = [search, readQuery(item)].filter(Boolean).join('&');
	return query ? `${pathname}?${query}` : pathname;
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

/** Returns a request, and the key of its call. */
function readRequest(item: Item): { request: ServiceRequest; key?: string } {
	const method = methodField.read(item);
	const path = readPath(item);
	const [pathname = ''] = path.split('?', 1);
	const advice = `Check the Method, the Path, ${method === 'GET' ? 'and the parameters' : 'the parameters, and the body'}.`;
	const request: ServiceRequest = {
		method,
		path,
		...(method !== 'GET' && readBody(item)),
		// The other methods may be performed twice without harm (RFC 9110, section 9.2.2).
		idempotent: safeToRepeat.read(item) || !['PATCH', 'POST'].includes(method),
		isUndocumented: true,
		confirms: showsChange,
		adviceIfNotJson: 'Check the Path, and the Base URL in the credential.',
		statuses: { ...STATUSES, '4xx': ['the service rejected the request', advice] },
		subject: `the request ${method} ${quotable(pathname)}`,
		effect: ['was', 'completed'],
		advice,
	};
	const isOrdered = isChange(request) && keepOrder.read(item);
	return { request, ...(isOrdered && { key: decodeURIComponent(pathname) }) };
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
