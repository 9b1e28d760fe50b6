import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { adviseOnNoValue, isTemplate } from '../../item/expression';
import type { Item } from '../../item/item';
import { INVALID_DATE, isExact, readText, shorten } from '../../item/readers';
import { type Problem, ValidationError } from '../../shared/errors';
import { asObject, asObjects, isBlank, parseJson, stringifyJson } from '../../shared/values';

/** Names and values, in order; a name may repeat. */
export type Parameters = Array<[name: string, value: unknown]>;

/**
 * Reads a list of names and values. It leaves out empty rows, and throws ValidationError if a row has no name, or its
 * expression returns nothing, which usually means a misspelt property.
 */
export function readParameters(item: Item, field: INodeProperties): Parameters {
	const rawRows = rowsOf(item.entered(field).raw);
	return rowsOf(item.value(field)).flatMap(({ name, value }, index): Parameters => {
		const raw = rawRows[index];
		if (raw?.name === '' && raw.value === '') return [];
		const known = readName(name, field.displayName, `the name of parameter ${index + 1}`);
		const isMissing = value === undefined || (isTemplate(raw?.value) && isBlank(value));
		if (!isMissing) return [[known, value]];
		const problem = `the expression of "${shorten(known)}" returns no value`;
		const advice = adviseOnNoValue('send an empty value');
		throw new ValidationError(field.displayName, problem, advice);
	});
}

function readName(value: unknown, field: string, part: string): string {
	return readText(value, field, 'Enter a name, or remove the parameter.', part);
}

function rowsOf(value: unknown) {
	return asObjects(asObject(value).parameters) ?? [];
}

/** Returns parameters as a query or a form contains them: lists and objects as JSON, null as an empty text. */
export function toTexts(parameters: Parameters, field: string): Array<[string, string]> {
	return parameters.map(([name, value]) => {
		const json = toJson(value, field);
		const data = parseJson(json);
		return [name, typeof data === 'string' ? data : data === null ? '' : json];
	});
}

/**
 * Returns a value as JSON. Throws ValidationError if a part of it is missing or no data, or is a number that may have
 * lost digits.
 */
export function toJson(value: unknown, field: string): string {
	let problem: Problem | undefined;
	const json = stringifyJson(value, (name, part, parent) => {
		problem ??= findProblem(name, part, parent);
	});
	if (json !== undefined && !problem) return json;
	problem ??= { problem: 'the value cannot be written as JSON', advice: CHECK_RESULT };
	throw new ValidationError(field, problem.problem, problem.advice);
}

const CHECK_RESULT = 'Check the expression.';

/** What JSON can contain. It would leave out a function, and write a map as `{}`. */
const DATA = /^(Object|Array|String|Number|Boolean|Null|BigInt)$/;

function findProblem(name: string, part: unknown, parent: IDataObject): Problem | undefined {
	const what = name ? `"${shorten(name)}"` : 'the value';
	// n8n's paired items contain `input: undefined`.
	const isAbsent = part === undefined && name === 'input' && typeof parent.item === 'number';
	if (isAbsent) return undefined;
	if (part === undefined) return { problem: `${what} is missing`, advice: CHECK_RESULT };
	// JSON writes an invalid date as null.
	if ((part === null && parent[name] !== null) || part === INVALID_DATE) {
		return { problem: `${what} is an invalid date`, advice: CHECK_RESULT };
	}
	const type = Object.prototype.toString.call(part).slice('[object '.length, -1);
	if (!DATA.test(type)) {
		const problem = `${what} is of type ${type}, which JSON cannot contain`;
		return { problem, advice: CHECK_RESULT };
	}
	if (typeof part !== 'number' || isExact(part)) return undefined;
	if (!Number.isFinite(part)) return { problem: `${what} is not a number`, advice: CHECK_RESULT };
	const problem = `${what} is the number ${part}, which may have lost digits`;
	return { problem, advice: 'Enter it as text, in quotation marks.' };
}
