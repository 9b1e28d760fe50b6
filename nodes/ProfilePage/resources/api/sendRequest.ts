import type { IDataObject } from 'n8n-workflow';

import { isTemplate } from '../../fields/entered';
import { choiceField, textField } from '../../fields/field';
import type { Item } from '../../fields/item';
import { PATH_ADVICE, readPath } from '../../service/address';
import { listIn, readPayload } from '../../service/payload';
import type { ServiceRequest } from '../../service/request';
import { invalid } from '../../shared/failure';
import { isObject, joined, quotable } from '../../shared/values';
import { keys } from '../keys';
import { type Operation, sending } from '../operation';
import { bodyFields, readBody } from './body';

const METHODS = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'] as const;

const methodField = choiceField('Method', 'method', {
	options: METHODS.map((name) => ({ name, value: name })),
	default: 'GET',
	description: 'The method of the request, from the documentation of the service',
});

const pathField = textField('Path', 'path', PATH_ADVICE, {
	required: true,
	placeholder: 'e.g. /oauth/v1/me',
	description:
		'The path of the endpoint, relative to the Base URL in the credential, with its query if it has one. An expression inside it needs <code>encodeURIComponent(…)</code> around its value.',
});

export const sendRequest: Operation = {
	shown: {
		name: 'Send Request',
		value: 'request',
		description: 'Send any request to the API of the service',
		action: 'Send API request',
	},
	fields: [methodField, pathField, ...bodyFields],
	plan: ([item], { credential }) => {
		const method = methodField.read(item);
		const { pathname, search } = readPathAndQuery(item, credential.baseUrl);
		const request: ServiceRequest<IDataObject[]> = {
			method,
			path: joined('?', pathname, search),
			...(method !== 'GET' && readBody(item)),
			// The other methods are idempotent (RFC 9110, section 9.2.2).
			repeat: method === 'PATCH' || method === 'POST' ? 'ifNotApplied' : 'always',
			isUndocumented: true,
			read: toItems,
			ifNotFound: 'Check the Method and the Path, and the Base URL in the credential.',
			// A query may contain a secret.
			subject: `the request ${method} ${quotable(pathname)}`,
			effect: ['was', 'completed'],
			advice: `Check the Method${method === 'GET' ? ' and the Path' : ', the Path, and the Body'}.`,
		};
		// Changes at one path keep the order of the items.
		const key = method === 'GET' ? undefined : keys.path(pathname);
		return sending(request, (items) => ({ items: item.output(items) }), key);
	},
};

/** Returns the path and the query of a request, percent-encoded. Throws Failure if they are invalid. */
function readPathAndQuery(item: Item, baseUrl: string): Pick<URL, 'pathname' | 'search'> {
	const { displayName } = pathField.shown;
	const path = pathField.read(item);
	if (METHODS.some((method) => path.toUpperCase().startsWith(`${method} `))) {
		throw invalid(displayName, 'the path starts with a method', `Choose the Method in its own field. ${PATH_ADVICE}`);
	}
	// Then it is the path of something else, such as of all links.
	if (isTemplate(item.raw(pathField.path)) && /(?:^|\/)\.{0,2}(?:[/?]|$)/.test(path.replace(/^\//, ''))) {
		const problem = `a part of "${quotable(path)}" is empty, or made of dots`;
		const advice = 'Check the expressions. If the path is right, use one expression for all of it.';
		throw invalid(displayName, problem, advice);
	}
	return readPath(path, displayName, baseUrl);
}

/** Returns what a response contains: an item for each entry of its list, or one item. */
function toItems(envelope: IDataObject): IDataObject[] {
	const entries = listIn(envelope) ?? [readPayload(envelope)];
	return entries.map((entry) => (isObject(entry) ? entry : { value: entry as IDataObject }));
}
