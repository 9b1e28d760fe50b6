import { type IExecuteFunctions, isExpression } from 'n8n-workflow';

import { adviseOnNoValue, isTemplate } from '../../fields/expression';
import {
	parameterReader,
	readRaw,
	rejectUnfinished,
	templateChecker,
} from '../../fields/parameterReader';
import { readChoice, shorten } from '../../fields/readers';
import { ValidationError } from '../../shared/errors';
import { isBlank, isObject, parseJson } from '../../shared/values';
import type { ServiceRequest } from '../../transport/serviceRequest';
import { parametersReader, toJson, toTexts } from './parameters';
import { requestFields } from './requestFields';

const { bodyContentType, specifyBody, bodyParameters, jsonBody } = requestFields;

type Body = Pick<ServiceRequest, 'form' | 'json'>;
type BodyReader = (itemIndex: number, contentType: 'form' | 'json') => Body;

/** Returns a reader of the body; empty if nothing is entered. It throws ValidationError if a field is invalid. */
export function bodyReader(context: IExecuteFunctions): (itemIndex: number) => Body {
	const contentTypes = { form: 'form', json: 'json' } as const;
	const sources = { keypair: parametersBodyReader(context), json: jsonBodyReader(context) };
	const readContentType = parameterReader(context, bodyContentType);
	const source = context.getNodeParameter(specifyBody.name, 0, specifyBody.default);
	return (itemIndex) => {
		const read = readChoice(source, specifyBody.displayName, sources);
		const contentType = readContentType(itemIndex);
		return read(itemIndex, readChoice(contentType, bodyContentType.displayName, contentTypes));
	};
}

function parametersBodyReader(context: IExecuteFunctions): BodyReader {
	const field = bodyParameters.displayName;
	const read = parametersReader(context, bodyParameters);
	return (itemIndex, contentType) => {
		const parameters = read(itemIndex);
		if (parameters.length === 0) return {};
		if (contentType === 'form') return { form: toTexts(parameters, field) };
		const names = parameters.map(([name]) => name);
		const repeated = names.find((name, index) => names.indexOf(name) !== index);
		if (repeated === undefined) return { json: toJson(Object.fromEntries(parameters), field) };
		const problem = `the name "${shorten(repeated)}" occurs twice, which JSON does not allow`;
		throw new ValidationError(
			field,
			problem,
			'Remove one of the two, or use one parameter with an expression that returns a list.',
		);
	};
}

function jsonBodyReader(context: IExecuteFunctions): BodyReader {
	const field = jsonBody.displayName;
	const read = parameterReader(context, jsonBody);
	const check = templateChecker(context, jsonBody, (value) => value === undefined);
	const raw = readRaw(context, jsonBody);
	return (itemIndex, contentType) => {
		check(itemIndex);
		const value = read(itemIndex);
		if (isBlank(value)) return readBlank(value, raw);
		const json = typeof value === 'string' ? value : toJson(value, field);
		const data = parseJson(json);
		if (data === undefined) {
			rejectUnfinished(raw, jsonBody);
			const advice =
				'Check the brackets, quotation marks, and commas. An expression can also return an object.';
			throw new ValidationError(field, 'the text is not valid JSON', advice);
		}
		// Not the parsed data: long numbers would lose digits.
		if (contentType === 'json') return { json };
		if (isObject(data)) return { form: toTexts(Object.entries(data), field) };
		const advice = 'Use an object, or set Body Content Type to JSON.';
		throw new ValidationError(field, 'a form can only contain the properties of an object', advice);
	};
}

function readBlank(value: unknown, raw: unknown): Body {
	if (!isTemplate(raw) && (value === '' || !isExpression(raw))) return {};
	const advice = adviseOnNoValue('send no body');
	throw new ValidationError(jsonBody.displayName, 'the expression returns no value', advice);
}
