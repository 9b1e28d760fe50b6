import type { IDataObject } from 'n8n-workflow';

import { serviceUrl } from '../../auth/baseUrl';
import { readCredential } from '../../auth/credential';
import { isInvalid, type Item, planEach } from '../../item/item';
import { shorten } from '../../item/readers';
import type { ServiceRequest } from '../../service/request';
import { isChange, reportsErrors } from '../../service/response';
import { hasContent, isBlank } from '../../shared/values';
import { forgetLinks } from '../links/existingLinks';
import type { Call, Operation } from '../operation';
import { readParameters, toTexts } from './parameters';
import { readBody } from './requestBody';
import { keepOrder, requestFields, safeToRepeat } from './requestFields';
import { toItems } from './responseItems';
import { decodeFully, isAddress, readServicePath } from './servicePath';

const { method: methodField, path: pathField, queryParameters, output: outputField } = requestFields;

/** The methods, and whether the service may perform such a request twice without harm (RFC 9110, section 9.2.2). */
const METHODS = {
	DELETE: { method: 'DELETE', idempotent: true },
	GET: { method: 'GET', idempotent: true },
	PATCH: { method: 'PATCH', idempotent: false },
	POST: { method: 'POST', idempotent: false },
	PUT: { method: 'PUT', idempotent: true },
} as const;

const OUTPUTS = {
	items: toItems,
	response: (envelope: IDataObject) => [envelope],
};

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
		const addresses = await readServiceAddresses(items);
		return planEach(items, (item) => {
			const toOutput = item.choice(outputField, OUTPUTS);
			return {
				...readRequest(item, addresses.get(item)),
				read: (envelope) => ({
					items: item.output(toOutput(envelope)),
					isConfirmed: !reportsErrors(envelope) || showsEffect(envelope),
				}),
			};
		});
	},
};

/** Returns the addresses of the service for items in which the full address of an endpoint was entered. */
async function readServiceAddresses(items: readonly Item[]): Promise<Map<Item, string>> {
	const addresses = new Map<Item, string>();
	const isFull = (item: Item) => ({ isFull: isAddress(item.value(pathField)) });
	for (const [index, read] of planEach(items, isFull).entries()) {
		const item = items[index];
		if (!item || isInvalid(read) || !read.isFull) continue;
		// If the credential cannot be used, the request reports it.
		const credential = await readCredential(item.context, index).catch(() => undefined);
		if (credential) addresses.set(item, serviceUrl(credential.data.baseUrl, ''));
	}
	return addresses;
}

/** Whether a response contains more than errors and texts, such as the ID of something that was created. */
function showsEffect(envelope: IDataObject): boolean {
	const fields = Object.entries(envelope).filter(([name]) => !/^errors?$/.test(name));
	return fields.some(([, value]) => typeof value !== 'string' && hasContent(value));
}

/** Some services respond to unknown paths with 403 or a redirect. */
const STATUSES = {
	'3xx':
		'the service responded with a redirect, or has nothing at this path. Check the Method and the Path, and the Base URL in the credential.',
	403: 'the service denied access, or has nothing at this path. Check the Method and the Path, the permissions of the app in the settings of the service, and the Base URL in the credential.',
	404: 'the service has nothing at this path. Check the Method and the Path, and the Base URL in the credential.',
	body: 'Check the Path, and the Base URL in the credential.',
};

function readRequest(item: Item, serviceAddress?: string): Pick<Call, 'concurrencyKey' | 'request'> {
	const { method, idempotent } = item.choice(methodField, METHODS);
	item.checkTemplate(pathField, isBlank);
	const { displayName } = pathField;
	const { pathname, search } = readServicePath(item.value(pathField), displayName, serviceAddress);
	const parameters = toTexts(readParameters(item, queryParameters), queryParameters.displayName);
	const query = [search, new URLSearchParams(parameters).toString()].filter(Boolean).join('&');
	const advice = `Check the Method, the Path, ${method === 'GET' ? 'and the parameters' : 'the parameters, and the body'}.`;
	const request: ServiceRequest = {
		method,
		path: query ? `${pathname}?${query}` : pathname,
		...(method !== 'GET' && readBody(item)),
		idempotent: item.isOn(safeToRepeat) || idempotent,
		success: 'unless denied',
		statuses: { ...STATUSES, '4xx': `the service rejected the request. ${advice}` },
		subject: `The request ${method} ${shorten(pathname)}`,
		effect: 'was completed',
		advice,
	};
	if (isChange(request)) forgetLinks(item.context);
	const isOrdered = isChange(request) && item.isOn(keepOrder);
	return { request, ...(isOrdered && { concurrencyKey: decodeFully(pathname) }) };
}
