import type { INodeProperties } from 'n8n-workflow';

import { anyField, booleanField, choiceField, flagOption, textField } from '../../fields/field';

/** A list of names and values, as in n8n's HTTP Request node. */
const parameters = {
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Parameter',
	default: {},
	options: [
		{
			displayName: 'Parameter',
			name: 'parameters',
			values: [
				{ displayName: 'Name', name: 'name', type: 'string', default: '' },
				{ displayName: 'Value', name: 'value', type: 'string', default: '' },
			],
		},
	],
} satisfies Partial<INodeProperties>;

const withBody = { method: ['DELETE', 'PATCH', 'POST', 'PUT'] };

/** In the order of the editor, with the names of n8n's HTTP Request node. */
export const requestFields = {
	method: choiceField('Method', 'method', {
		options: (['DELETE', 'GET', 'PATCH', 'POST', 'PUT'] as const).map((name) => ({ name, value: name })),
		default: 'GET',
		description: 'The method of the request, from the documentation of the service',
	}),
	path: textField('Path', 'path', 'Enter the part after the Base URL, such as /oauth/v1/me.', {
		required: true,
		placeholder: 'e.g. /oauth/v1/me',
		description: 'The path of the endpoint, relative to the Base URL in the credential',
	}),
	queryParameters: anyField({
		displayName: 'Query Parameters',
		name: 'queryParameters',
		...parameters,
		description: 'The parameters to add to the path, after a question mark',
	}),
	bodyContentType: choiceField('Body Content Type', 'bodyContentType', {
		options: [
			{ name: 'Form URL Encoded', value: 'form' },
			{ name: 'JSON', value: 'json' },
		],
		default: 'form',
		description: 'How to send the body, from the documentation of the service',
		displayOptions: { show: withBody },
	}),
	specifyBody: choiceField('Specify Body', 'specifyBody', {
		noDataExpression: true,
		options: [
			{ name: 'Using Fields Below', value: 'keypair' },
			{ name: 'Using JSON', value: 'json' },
		],
		default: 'keypair',
		description: 'How to enter the body. In a form, each property of the JSON becomes a field.',
		displayOptions: { show: withBody },
	}),
	bodyParameters: anyField({
		displayName: 'Body Parameters',
		name: 'bodyParameters',
		...parameters,
		description: 'The fields of the body. An expression may return a list or an object: a form contains it as JSON.',
		displayOptions: { show: { ...withBody, specifyBody: ['keypair'] } },
	}),
	jsonBody: anyField({
		displayName: 'JSON Body',
		name: 'jsonBody',
		type: 'json',
		default: '',
		description: 'The body as JSON, or an expression that returns an object',
		displayOptions: { show: { ...withBody, specifyBody: ['json'] } },
	}),
	output: choiceField('Output', 'output', {
		noDataExpression: true,
		options: [
			{ name: 'Items', value: 'items', description: 'An item for each entry of the list in the response, or one item' },
			{ name: 'Whole Response', value: 'response', description: 'One item with everything in the response' },
		],
		default: 'items',
		description: 'What to return of the response',
	}),
};

export const keepOrder = booleanField('Keep Order', 'keepOrder', {
	default: true,
	description:
		'Whether requests that change something at the same path are sent one after another, in the order of the items. If not, they are sent concurrently, which is faster.',
}).asOption();

export const safeToRepeat = flagOption(
	'Safe to Repeat',
	'safeToRepeat',
	'Whether the service may perform the request twice without harm. If not, a POST or PATCH request is sent again only if it was certainly not performed.',
);
