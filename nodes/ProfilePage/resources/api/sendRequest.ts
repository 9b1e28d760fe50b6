import type { IDataObject } from 'n8n-workflow';

import type { Item } from '../../fields/item';
import { readPath } from '../../service/address';
import { listIn, readPayload } from '../../service/payload';
import type { ServiceRequest } from '../../service/request';
import { isChange } from '../../shared/failure';
import { hasContent, isBlank, isObject, quotable } from '../../shared/values';
import { type Operation, sending } from '../operation';
import { readBody, readQuery } from './parameters';
import { keepOrder, requestFields, safeToRepeat } from './requestFields';

const { method: methodField, path: pathField, output: outputField } = requestFields;

export const sendRequest: Operation = {
	shown: {
		name: 'Send Request',
		value: 'request',
		description: 'Send any request to the API of the service',
		action: 'Send API request',
	},
	fields: Object.values(requestFields),
	options: [keepOrder, safeToRepeat],
	plan: ([item]) => {
		const toOutput = OUTPUTS[outputField.read(item)];
		const request = readRequest(item);
		const key = isChange(request) && keepOrder.read(item) ? request.path.split('?', 1)[0] : undefined;
		const parse = (envelope: IDataObject) => ({ items: item.output(toOutput(envelope)) });
		return sending(request, parse, key);
	},
};

/** Returns what n8n writes for a value in a text; an empty text for an object that cannot be written. */
function writtenByN8n(value: unknown): string {
	try {
		return String(value);
	} catch {
		return '';
	}
}

function readPathAndQuery(item: Item): string {
	item.checkTemplate(pathField.shown, (value) => isBlank(value) || NO_TEXT.test(writtenByN8n(value)));
	const { pathname, search } = readPath(pathField.read(item), pathField.shown.displayName, item.paths.baseUrl);
	const query = [search, readQuery(item)].filter(Boolean).join('&');
	return query ? `${pathname}?${query}` : pathname;
}

/** What n8n writes for lists without values, objects, and invalid numbers and dates. */
const NO_TEXT = /^[\s,]*$|\[object |^NaN$|^Invalid Date/;

function readRequest(item: Item): ServiceRequest {
	const method = methodField.read(item);
	const path = readPathAndQuery(item);
	const [pathname = ''] = path.split('?', 1);
	const advice = `Check the Method, the Path, ${method === 'GET' ? 'and the parameters' : 'the parameters, and the body'}.`;
	return {
		method,
		path,
		...(method !== 'GET' && readBody(item)),
		// The other methods may be performed twice without harm (RFC 9110, section 9.2.2).
		repeat: safeToRepeat.read(item) || !['PATCH', 'POST'].includes(method) ? 'always' : 'ifNotApplied',
		isUndocumented: true,
		confirms: showsChange,
		ifNotFound: 'Check the Method and the Path, and the Base URL in the credential.',
		subject: `the request ${method} ${quotable(pathname)}`,
		effect: ['was', 'completed'],
		advice,
	};
}

function showsChange(envelope: IDataObject): boolean {
	const fields = Object.entries(envelope).filter(([name]) => !/^errors?$/.test(name));
	return fields.some(([, value]) => typeof value !== 'string' && hasContent(value));
}

const OUTPUTS = { items: toItems, response: (envelope: IDataObject) => [envelope] };

/** Returns what a response contains: an item for each entry of its list, or one item. */
export function toItems(envelope: IDataObject): IDataObject[] {
	const entries = listIn(envelope) ?? [readPayload(envelope)];
	return entries.map((entry) => (isObject(entry) ? entry : { value: entry as IDataObject }));
}
