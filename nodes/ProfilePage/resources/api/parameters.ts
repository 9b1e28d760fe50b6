import type { IDataObject } from 'n8n-workflow';

import { isMissing, noValue } from '../../fields/expression';
import type { Field } from '../../fields/field';
import type { Item } from '../../fields/item';
import { INVALID_DATE, readText } from '../../fields/readers';
import type { ServiceRequest } from '../../service/request';
import { Failure, invalid } from '../../shared/failure';
import { asObject, asObjects, isBlank, isObject, parseJson, quotable, withoutHalves } from '../../shared/values';
import { requestFields } from './requestFields';

const { queryParameters, bodyContentType, specifyBody, bodyParameters, jsonBody } = requestFields;

type NamedValues = Array<[name: string, value: unknown]>;

type Body = Pick<ServiceRequest, 'form' | 'json'>;

/** Returns the query parameters, percent-encoded. Throws Failure if one is invalid. */
export function readQuery(item: Item): string {
	const parameters = toTexts(readParameters(item, queryParameters), queryParameters.shown.displayName);
	return new URLSearchParams(parameters).toString();
}

/** Returns the body; empty if nothing is entered. Throws Failure if a field is invalid. */
export function readBody(item: Item): Body {
	const read = specifyBody.read(item) === 'json' ? readJsonBody : readParametersBody;
	return read(item, bodyContentType.read(item) === 'form');
}

function readParametersBody(item: Item, isForm: boolean): Body {
	const displayName = bodyParameters.shown.displayName;
	const parameters = readParameters(item, bodyParameters);
	if (parameters.length === 0) return {};
	if (isForm) return { form: toTexts(parameters, displayName) };
	const names = parameters.map(([name]) => name);
	const lastIndexes = new Map(names.map((name, index) => [name, index]));
	const repeated = names.find((name, index) => lastIndexes.get(name) !== index);
	if (repeated === undefined) return { json: toJson(Object.fromEntries(parameters), displayName) };
	const problem = `the name "${quotable(repeated)}" occurs twice, which JSON does not allow`;
	const advice = 'Remove one of the two, or use one parameter with an expression that returns a list.';
	throw invalid(displayName, problem, advice);
}

function readJsonBody(item: Item, isForm: boolean): Body {
	const displayName = jsonBody.shown.displayName;
	item.checkTemplate(jsonBody.shown, (value) => value === undefined);
	const value = jsonBody.read(item);
	if (isBlank(value)) {
		if (isMissing(item.raw(jsonBody.shown), value)) throw noValue(displayName, { ifEmpty: 'send no body' });
		return {};
	}
	const json = typeof value === 'string' ? withoutHalves(value) : toJson(value, displayName);
	const data = parseJson(json);
	if (data === undefined) {
		const advice = 'Check the brackets, quotation marks, and commas. An expression can also return an object.';
		throw invalid(displayName, 'the text is not valid JSON', advice);
	}
	// Not the parsed data: long numbers would lose digits.
	if (!isForm) return { json };
	if (isObject(data)) return { form: toTexts(Object.entries(data), displayName) };
	const advice = 'Use an object, or set Body Content Type to JSON.';
	throw invalid(displayName, 'a form can only contain the properties of an object', advice);
}

/** Leaves out empty rows. Throws if a row has no name, or its expression returns nothing. */
function readParameters(item: Item, field: Field<unknown>): NamedValues {
	const { displayName } = field.shown;
	const rawRows = rowsOf(item.raw(field.shown));
	return rowsOf(field.read(item)).flatMap(({ name, value }, index): NamedValues => {
		const raw = rawRows[index];
		if (raw?.name === '' && raw.value === '') return [];
		const part = `the name of parameter ${index + 1}`;
		const parameterName = readText(name, displayName, 'Enter a name, or remove the parameter.', part);
		if (value === null || !isMissing(raw?.value, value)) return [[parameterName, value]];
		const expression = `the expression of "${quotable(parameterName)}"`;
		throw noValue(displayName, { expression, ifEmpty: 'send an empty value' });
	});
}

function rowsOf(value: unknown): IDataObject[] {
	return asObjects(asObject(value).parameters) ?? [];
}

/** Returns parameters as a query or a form contains them: lists and objects as JSON, null as an empty text. */
export function toTexts(parameters: NamedValues, displayName: string): Array<[string, string]> {
	return parameters.map(([name, value]) => {
		const json = toJson(value, displayName);
		const data = parseJson(json) ?? '';
		return [name, typeof data === 'string' ? data : json];
	});
}

/**
 * Returns a value as JSON. Throws Failure if a part of it is missing or no data.
 */
export function toJson(value: unknown, displayName: string): string {
	function check(this: IDataObject, name: string, part: unknown): unknown {
		const error = findError(name, part, this, displayName);
		if (error) throw error;
		return typeof part === 'string' ? withoutHalves(part) : part;
	}
	try {
		return JSON.stringify(value, check);
	} catch (error) {
		const unwritable = invalid(displayName, 'the value cannot be written as JSON', 'Check the expression.');
		throw error instanceof Failure ? error : unwritable;
	}
}

/** What JSON can contain. It would leave out a function, and write a map as `{}`. */
const DATA = /^(Object|Array|String|Number|Boolean|Null|BigInt)$/;

function findError(name: string, part: unknown, parent: IDataObject, displayName: string): Failure | undefined {
	const what = name ? `"${quotable(name)}"` : 'the value';
	const reject = (problem: string, advice = 'Check the expression.') => invalid(displayName, problem, advice);
	// The `input: undefined` of n8n's paired items is left out.
	if (part === undefined && name === 'input' && typeof parent.item === 'number') return undefined;
	if (part === undefined) return reject(`${what} is missing`);
	// JSON writes an invalid date as null.
	if ((part === null && parent[name] !== null) || part === INVALID_DATE) return reject(`${what} is an invalid date`);
	const type = Object.prototype.toString.call(part).slice('[object '.length, -1);
	if (!DATA.test(type)) return reject(`${what} is of type ${type}, which JSON cannot contain`);
	const isInvalidNumber = typeof part === 'number' && !Number.isFinite(part);
	return isInvalidNumber ? reject(`${what} is not a number`) : undefined;
}
