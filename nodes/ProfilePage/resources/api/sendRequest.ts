import type { IDataObject } from 'n8n-workflow';

import { choiceField } from '../../fields/field';
import { listIn, readPayload } from '../../service/payload';
import type { ServiceRequest } from '../../service/request';
import { hasContent, isObject, joined, quotable } from '../../shared/values';
import { type Operation, sending } from '../operation';
import { bodyFields, readBody } from './body';
import { pathField, readPathAndQuery } from './path';

const methodField = choiceField('Method', 'method', {
	options: (['DELETE', 'GET', 'PATCH', 'POST', 'PUT'] as const).map((name) => ({ name, value: name })),
	default: 'GET',
	description: 'The method of the request, from the documentation of the service',
});

export const sendRequest: Operation = {
	shown: {
		name: 'Send Request',
		value: 'request',
		description: 'Send any request to the API of the service',
		action: 'Send API request',
	},
	fields: [methodField, pathField, ...bodyFields],
	plan: ([item]) => {
		const method = methodField.read(item);
		const { pathname, search } = readPathAndQuery(item);
		const request: ServiceRequest = {
			method,
			path: joined('?', pathname, search),
			...(method !== 'GET' && readBody(item)),
			// The other methods are idempotent (RFC 9110, section 9.2.2).
			repeat: method === 'PATCH' || method === 'POST' ? 'ifNotApplied' : 'always',
			isUndocumented: true,
			confirms: showsChange,
			ifNotFound: 'Check the Method and the Path, and the Base URL in the credential.',
			// A query may contain a secret.
			subject: `the request ${method} ${quotable(pathname)}`,
			effect: ['was', 'completed'],
			advice: `Check the Method${method === 'GET' ? ' and the Path' : ', the Path, and the Body'}.`,
		};
		const parse = (envelope: IDataObject) => ({ items: item.output(toItems(envelope)) });
		// Changes at one path keep the order of the items.
		return sending(request, parse, method === 'GET' ? undefined : pathname);
	},
};

function showsChange(envelope: IDataObject): boolean {
	const fields = Object.entries(envelope).filter(([name]) => !/^errors?$/.test(name));
	return fields.some(([, value]) => typeof value !== 'string' && hasContent(value));
}

/** Returns what a response contains: an item for each entry of its list, or one item. */
function toItems(envelope: IDataObject): IDataObject[] {
	const entries = listIn(envelope) ?? [readPayload(envelope)];
	return entries.map((entry) => (isObject(entry) ? entry : { value: entry as IDataObject }));
}
