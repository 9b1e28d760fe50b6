import { isTemplate } from '../../fields/entered';
import { choiceField, Field } from '../../fields/field';
import type { Item } from '../../fields/item';
import type { ServiceRequest } from '../../service/request';
import { type Failure, invalid } from '../../shared/failure';
import { isBlank, isObject, parseJson } from '../../shared/values';

const DISPLAY_NAME = 'Body';

const displayOptions = { show: { method: ['DELETE', 'PATCH', 'POST', 'PUT'] } };

/** The body as JSON; empty if nothing was entered. */
const bodyField = new Field(
	{
		displayName: DISPLAY_NAME,
		name: 'body',
		type: 'json',
		// The editor marks an empty text red, as no JSON.
		default: '{}',
		description:
			'The body as JSON: a text with an expression inside is refused, as a quotation mark in its value would change the request. Instead, use one expression for all of it, which returns an object.',
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
	if (isTemplate(item.raw(bodyField.path))) {
		const advice =
			'Use one expression for the whole body, with nothing around it, which returns an object, such as {{ { "title": $json.title } }}.';
		throw refuse('the text contains an expression', advice);
	}
	const json = bodyField.read(item);
	const isForm = sendBodyAs.read(item) === 'form';
	if (json === '') return {};
	// JSON is sent as it is: long numbers would lose digits if it was written again.
	return isForm ? { form: toForm(parseJson(json)) } : { json };
}

/** Returns a text as it is, and what an expression returned as `JSON.stringify` writes it. */
function readJson(value: unknown): string {
	if (isBlank(value)) return '';
	const json = typeof value === 'string' ? value : JSON.stringify(value);
	if (parseJson(json) !== undefined) return json;
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

function refuse(problem: string, advice: string): Failure {
	return invalid(DISPLAY_NAME, problem, advice);
}
