import type { IDataObject } from 'n8n-workflow';

import { kindOf } from '../../fields/expression';
import { choiceField, Field } from '../../fields/field';
import type { Item } from '../../fields/item';
import { INVALID_DATE } from '../../fields/readers';
import type { ServiceRequest } from '../../service/request';
import { Failure, invalid } from '../../shared/failure';
import { isBlank, isObject, parseJson, quotable, withoutHalves } from '../../shared/values';

const displayOptions = { show: { method: ['DELETE', 'PATCH', 'POST', 'PUT'] } };

/** The body as JSON, and parsed; undefined if nothing was entered. */
const bodyField = new Field(
	{
		displayName: 'Body',
		name: 'body',
		type: 'json',
		default: '',
		placeholder: 'e.g. { "title": "My new video" }',
		description: 'The body as JSON without expressions, or one expression that returns an object',
		displayOptions,
	},
	readJson,
);

const sendBodyAs = choiceField('Send Body As', 'sendBodyAs', {
	options: [
		{ name: 'Form', value: 'form', description: 'Each property becomes a field, lists and objects as JSON' },
		{ name: 'JSON', value: 'json' },
	],
	default: 'form',
	description: 'How to send the body, from the documentation of the service',
	displayOptions,
});

export const bodyFields = [bodyField, sendBodyAs] as const;

/** Returns the body of a request; empty if nothing was entered. Throws Failure if a field is invalid. */
export function readBody(item: Item): Pick<ServiceRequest, 'form' | 'json'> {
	// A quotation mark in a value inside a text would change what the JSON says.
	if (kindOf(item.raw(bodyField.shown)) === 'template') {
		const advice =
			'Use one expression for the whole body, with nothing around it, which returns an object, such as {{ { "title": $json.title } }}.';
		throw refuse('the text contains an expression', advice);
	}
	const body = bodyField.read(item);
	const isForm = sendBodyAs.read(item) === 'form';
	if (!body) return {};
	// JSON is sent as it is: long numbers would lose digits if it was written again.
	return isForm ? { form: toForm(body.data) } : { json: body.json };
}

function refuse(problem: string, advice = 'Check the expression.'): Failure {
	return invalid('Body', problem, advice);
}

function readJson(value: unknown): { json: string; data: unknown } | undefined {
	if (isBlank(value)) return undefined;
	const json = typeof value === 'string' ? withoutHalves(value) : toJson(value);
	const data = parseJson(json);
	if (data !== undefined) return { json, data };
	const advice = 'Check the brackets, quotation marks, and commas. An expression can also return an object.';
	throw refuse('the text is not valid JSON', advice);
}

/** Returns the fields of a form: texts as they are, null as an empty text, everything else as JSON. */
function toForm(data: unknown): Array<[name: string, value: string]> {
	if (!isObject(data)) {
		throw refuse('a form can only contain the properties of an object', 'Use an object, or set Send Body As to JSON.');
	}
	return Object.entries(data).map(([name, value]) => [
		name,
		typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value),
	]);
}

/** Returns what an expression returned as JSON. Throws Failure if a part of it is missing or no data. */
export function toJson(value: unknown): string {
	function check(this: IDataObject, name: string, part: unknown): unknown {
		const problem = findProblem(name, part, this);
		if (problem) throw refuse(`${name ? `"${quotable(name)}"` : 'the value'} ${problem}`);
		return typeof part === 'string' ? withoutHalves(part) : part;
	}
	try {
		return JSON.stringify(value, check);
	} catch (error) {
		throw error instanceof Failure ? error : refuse('the value cannot be written as JSON');
	}
}

function findProblem(name: string, part: unknown, parent: IDataObject): string | undefined {
	if (part === undefined) return 'is missing';
	// JSON writes an invalid date as null.
	if ((part === null && parent[name] !== null) || part === INVALID_DATE) return 'is an invalid date';
	const type = Object.prototype.toString.call(part).slice('[object '.length, -1);
	// JSON would leave out a function, and write a map as {}.
	if (!/^(Object|Array|String|Number|Boolean|Null)$/.test(type)) return `is of type ${type}, which JSON cannot contain`;
	return typeof part === 'number' && !Number.isFinite(part) ? 'is not a number' : undefined;
}
