import { type IExecuteFunctions, type INodeProperties, isExpression } from 'n8n-workflow';

import { ValidationError } from '../shared/errors';
import { isTool } from '../shared/tool';
import { isBlank, isObject } from '../shared/values';
import {
	adviseOnNoValue,
	CHECK_NAMES,
	findExpressions,
	isTemplate,
	isUnfinished,
	parsePathExpression,
} from './expression';
import { followPath } from './path';
import { shorten } from './readers';

/** Returns the value of a parameter for an item. Throws what n8n throws for an invalid expression. */
type ParameterReader = (itemIndex: number) => unknown;

type Parameter = Pick<INodeProperties, 'name' | 'default'>;

/** A field in which users add the optional fields they want to set. */
export interface Collection extends INodeProperties {
	type: 'collection';
	options: INodeProperties[];
}

/** The fields of a collection that are set for an item, by name. */
export type CollectionValues = ReadonlyMap<string, unknown>;

/**
 * Returns a reader of a parameter. n8n blocks the process for about a millisecond for each expression
 * it evaluates, so it is asked only if the value is neither the same for all items nor a plain path.
 */
export function parameterReader(context: IExecuteFunctions, parameter: Parameter): ParameterReader {
	const { name, default: fallback } = parameter;
	const raw = readRaw(context, parameter);
	const evaluate: ParameterReader = (index) => context.getNodeParameter(name, index, fallback);
	if (!containsExpression(raw)) {
		const value = evaluate(0);
		return () => value;
	}
	const path = isTool(context) ? undefined : parsePathExpression(raw);
	if (!path) return evaluate;
	const items = context.getInputData();
	return (itemIndex) => {
		const value = followPath(items[itemIndex]?.json, path);
		return isJson(value) ? value : evaluate(itemIndex);
	};
}

/** Returns a reader of a parameter that also throws ValidationError if an expression in it is unfinished. */
export function finishedReader(
	context: IExecuteFunctions,
	field: INodeProperties,
): ParameterReader {
	const read = parameterReader(context, field);
	const raw = readRaw(context, field);
	return (itemIndex) => {
		rejectUnfinished(raw, field);
		return read(itemIndex);
	};
}

/** Returns a reader of a resource locator. A workflow written by hand may contain the value alone. */
export function locatorReader(context: IExecuteFunctions, { name }: Parameter): ParameterReader {
	const isLocator = typeof readRaw(context, { name, default: '' }) === 'object';
	return parameterReader(context, { name: isLocator ? `${name}.value` : name, default: '' });
}

/**
 * Returns a reader of a collection. A field is not set if it is empty on purpose: left empty, a literal
 * `null`, or a single expression that returns an empty string.
 *
 * @param mayBeMissing fields that are not set either if their expression returns `null` or `undefined`,
 *   which usually mean a misspelt property
 * @returns a function that throws ValidationError if the value is not an object, or a field is empty
 *   but not on purpose
 */
export function collectionReader(
	context: IExecuteFunctions,
	collection: Collection,
	mayBeMissing: readonly INodeProperties[] = [],
): (itemIndex: number) => CollectionValues {
	const read = parameterReader(context, collection);
	const raw = readRaw(context, collection);
	return (itemIndex) => {
		const values = read(itemIndex);
		if (!isObject(values)) {
			const problem = 'the expression does not return an object';
			const advice =
				'Add the fields one by one, or return an object with the names and values of the fields.';
			throw new ValidationError(collection.displayName, problem, advice);
		}
		const set = new Map<string, unknown>();
		for (const field of collection.options.filter(({ name }) => Object.hasOwn(values, name))) {
			const value = values[field.name];
			// The whole collection may be an expression.
			const rawValue = isObject(raw) ? raw[field.name] : raw;
			rejectUnfinished(rawValue, field);
			const isUnexpected = typeof value !== 'string' && !mayBeMissing.includes(field);
			if (!isBlank(value)) set.set(field.name, value);
			else if (isTemplate(rawValue) || (isExpression(rawValue) && isUnexpected)) {
				const advice = adviseOnNoValue('leave the field empty');
				throw new ValidationError(field.displayName, 'the expression returns no value', advice);
			}
		}
		return set;
	};
}

/** Throws ValidationError if what was entered was meant as an expression, but is not one. */
export function rejectUnfinished(raw: unknown, { displayName }: INodeProperties): void {
	const texts: unknown[] = Array.isArray(raw) ? raw : [raw];
	if (!texts.some(isUnfinished)) return;
	const problem = 'the text contains "{{", but is not an expression';
	const advice = 'Switch the field to Expression, and end the expression with "}}".';
	throw new ValidationError(displayName, problem, advice);
}

/** Returns what `read` returns for a field of a collection; undefined if the field is not set. */
export function readIfSet(
	values: CollectionValues,
	{ name, displayName }: INodeProperties,
	read: (value: unknown, field: string) => string,
): string | undefined {
	return values.has(name) ? read(values.get(name), displayName) : undefined;
}

/** Returns what was entered, with expressions as text. It is the same for all items. */
export function readRaw(
	context: IExecuteFunctions,
	{ name, default: fallback }: Parameter,
): unknown {
	return context.getNodeParameter(name, 0, fallback, { rawExpressions: true });
}

/**
 * Returns a check of the expressions within the text of a field: n8n would leave out those that return nothing. It
 * throws ValidationError.
 *
 * @param isMissing whether a value counts as nothing
 */
export function templateChecker(
	context: IExecuteFunctions,
	{ displayName, ...parameter }: INodeProperties,
	isMissing: (value: unknown) => boolean,
): (itemIndex: number) => void {
	const expressions = findExpressions(readRaw(context, parameter));
	return (itemIndex) => {
		for (const expression of expressions) {
			if (!isMissing(context.evaluateExpression(expression, itemIndex))) continue;
			const problem = `the expression ${shorten(expression)} returns no value`;
			throw new ValidationError(displayName, problem, CHECK_NAMES);
		}
	};
}

function containsExpression(raw: unknown): boolean {
	if (typeof raw !== 'object' || raw === null) return isExpression(raw);
	return Object.values(raw).some(containsExpression);
}

/** Missing values, and objects that are more than data, are left to n8n. */
function isJson(value: unknown): boolean {
	if (typeof value !== 'object') return value !== undefined;
	return value !== null && (Array.isArray(value) || value.constructor === Object);
}
