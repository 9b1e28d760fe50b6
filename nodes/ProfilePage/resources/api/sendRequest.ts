import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { flagReader } from '../../fields/flag';
import { parameterReader, templateChecker } from '../../fields/parameterReader';
import { readChoice, shorten } from '../../fields/readers';
import { type Call, type Operation, pairWith, planEachItem } from '../../operation';
import { isBlank } from '../../shared/values';
import { hasContent, reportsErrors } from '../../transport/response';
import { isChange, type ServiceRequest } from '../../transport/serviceRequest';
import { parametersReader, toTexts } from './parameters';
import { bodyReader } from './requestBody';
import { requestFields, safeToRepeat } from './requestFields';
import { toItems } from './responseItems';
import { decodeFully, readServicePath } from './servicePath';

const {
	method: methodField,
	path: pathField,
	queryParameters,
	output: outputField,
} = requestFields;

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
		action: 'Send an API request',
	},
	fields: Object.values(requestFields),
	options: [safeToRepeat],
	plan: (context) => {
		const readRequest = requestReader(context);
		const output = context.getNodeParameter(outputField.name, 0, outputField.default);
		return planEachItem(context, (itemIndex) => {
			const toOutput = readChoice(output, outputField.displayName, OUTPUTS);
			return {
				...readRequest(itemIndex),
				read: (envelope) => ({
					items: pairWith(itemIndex, toOutput(envelope)),
					isConfirmed: !reportsErrors(envelope) || showsEffect(envelope),
				}),
			};
		});
	},
};

/** Whether a response contains more than errors and texts, such as the ID of something that was created. */
function showsEffect(envelope: IDataObject): boolean {
	const fields = Object.entries(envelope).filter(([name]) => !/^errors?$/.test(name));
	return fields.some(([, value]) => typeof value !== 'string' && hasContent(value));
}

function requestReader(
	context: IExecuteFunctions,
): (itemIndex: number) => Pick<Call, 'concurrencyKey' | 'request'> {
	const readMethod = parameterReader(context, methodField);
	const readPath = parameterReader(context, pathField);
	const checkPath = templateChecker(context, pathField, isBlank);
	const readQuery = parametersReader(context, queryParameters);
	const readBody = bodyReader(context);
	const readSafeToRepeat = flagReader(context, safeToRepeat);
	return (itemIndex) => {
		const { method, idempotent } = readChoice(
			readMethod(itemIndex),
			methodField.displayName,
			METHODS,
		);
		checkPath(itemIndex);
		const { pathname, search } = readServicePath(readPath(itemIndex), pathField.displayName);
		const parameters = toTexts(readQuery(itemIndex), queryParameters.displayName);
		const query = [search, new URLSearchParams(parameters).toString()].filter(Boolean).join('&');
		const request: ServiceRequest = {
			method,
			path: query ? `${pathname}?${query}` : pathname,
			...(method !== 'GET' && readBody(itemIndex)),
			documentedBy: 'user',
			idempotent: readSafeToRepeat() || idempotent,
			subject: `The request ${method} ${shorten(pathname)}`,
			outcome: 'was completed',
			advice:
				method === 'GET'
					? 'Check the Method, the Path, and the parameters.'
					: 'Check the Method, the Path, the parameters, and the body.',
		};
		return { request, ...(isChange(request) && { concurrencyKey: decodeFully(pathname) }) };
	};
}
