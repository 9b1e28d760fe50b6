import { isExpression } from 'n8n-workflow';

import { adviseOnNoValue, isTemplate } from '../../item/expression';
import type { Item } from '../../item/item';
import { shorten } from '../../item/readers';
import type { ServiceRequest } from '../../service/request';
import { ValidationError } from '../../shared/errors';
import { isBlank, isObject, parseJson } from '../../shared/values';
import { readParameters, toJson, toTexts } from './parameters';
import { requestFields } from './requestFields';

const { bodyContentType, specifyBody, bodyParameters, jsonBody } = requestFields;

type Body = Pick<ServiceRequest, 'form' | 'json'>;
type ContentType = 'form' | 'json';

const CONTENT_TYPES = { form: 'form', json: 'json' } as const;

const READERS = { keypair: readParametersBody, json: readJsonBody };

/** Returns the body; empty if nothing is entered. Throws ValidationError if a field is invalid. */
export function readBody(item: Item): Body {
	const read = item.choice(specifyBody, READERS);
	return read(item, item.choice(bodyContentType, CONTENT_TYPES));
}

function readParametersBody(item: Item, contentType: ContentType): Body {
	const field = bodyParameters.displayName;
	const parameters = readParameters(item, bodyParameters);
	if (parameters.length === 0) return {};
	if (contentType === 'form') return { form: toTexts(parameters, field) };
	const names = parameters.map(([name]) => name);
	const repeated = names.find((name, index) => names.indexOf(name) !== index);
	if (repeated === undefined) return { json: toJson(Object.fromEntries(parameters), field) };
	const problem = `the name "${shorten(repeated)}" occurs twice, which JSON does not allow`;
	const advice = 'Remove one of the two, or use one parameter with an expression that returns a list.';
	throw new ValidationError(field, problem, advice);
}

function readJsonBody(item: Item, contentType: ContentType): Body {
	const field = jsonBody.displayName;
	item.checkTemplate(jsonBody, (value) => value === undefined);
	const value = item.value(jsonBody);
	if (isBlank(value)) return readBlank(value, item.entered(jsonBody).raw);
	const json = typeof value === 'string' ? value : toJson(value, field);
	const data = parseJson(json);
	if (data === undefined) {
		const advice = 'Check the brackets, quotation marks, and commas. An expression can also return an object.';
		throw new ValidationError(field, 'the text is not valid JSON', advice);
	}
	// Not the parsed data: long numbers would lose digits.
	if (contentType === 'json') return { json };
	if (isObject(data)) return { form: toTexts(Object.entries(data), field) };
	const advice = 'Use an object, or set Body Content Type to JSON.';
	throw new ValidationError(field, 'a form can only contain the properties of an object', advice);
}

function readBlank(value: unknown, raw: unknown): Body {
	if (!isTemplate(raw) && (value === '' || !isExpression(raw))) return {};
	const advice = adviseOnNoValue('send no body');
	throw new ValidationError(jsonBody.displayName, 'the expression returns no value', advice);
}
