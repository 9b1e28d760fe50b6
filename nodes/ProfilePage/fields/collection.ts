import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { FieldError } from '../errors';
import { isEmpty } from './empty';
import { isExpression, isTemplate } from './expression';
import { fieldReader, readRaw } from './fieldReader';

/** A field in which users add the optional fields they want to set. */
export interface Collection extends INodeProperties {
	type: 'collection';
	options: INodeProperties[];
}

/** The values of the fields that are set for an item, by the names of the fields. */
export type CollectionValues = ReadonlyMap<string, unknown>;

/**
 * Prepares to read a collection for many items. A field that is empty on purpose is not set: one that was
 * left empty, holds a literal `null`, or a single expression that gives an empty text.
 *
 * @param mayBeMissing the names of fields that are not set either if their expression gives `null` or
 *   `undefined`, which usually mean a misspelt property
 * @returns a function that throws a FieldError if the value is not an object, or a field is empty but
 *   not on purpose
 */
export function collectionReader(
	context: IExecuteFunctions,
	collection: Collection,
	mayBeMissing: readonly string[] = [],
): (itemIndex: number) => CollectionValues {
	const read = fieldReader(context, collection.name, collection.default);
	const raw = readRaw(context, collection.name, collection.default);
	return (itemIndex) => {
		const values = readObject(read(itemIndex), collection.displayName);
		const set = new Map<string, unknown>();
		for (const field of collection.options.filter(({ name }) => values.has(name))) {
			const value = values.get(field.name);
			if (isEmpty(value)) checkEmpty(value, rawOf(raw, field.name), field, mayBeMissing);
			else set.set(field.name, value);
		}
		return set;
	};
}

function readObject(value: unknown, field: string): CollectionValues {
	if (isObject(value)) return new Map(Object.entries(value));
	throw new FieldError(
		field,
		'the expression does not give an object. Add the fields one by one, or let it give an object with the names and values of the fields.',
	);
}

/** @returns what was entered for a field; a whole collection may be an expression */
function rawOf(raw: unknown, name: string): unknown {
	return isObject(raw) ? new Map(Object.entries(raw)).get(name) : raw;
}

function isObject(value: unknown): value is object {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @throws FieldError unless a field is empty on purpose */
function checkEmpty(
	value: unknown,
	raw: unknown,
	{ name, displayName }: INodeProperties,
	mayBeMissing: readonly string[],
): void {
	if (!isExpression(raw)) return;
	const isMissing = value === undefined || value === null;
	if (isMissing && !mayBeMissing.includes(name)) {
		throw new FieldError(
			displayName,
			'the expression gives nothing. Check the names in it; to leave the field empty on purpose, let it give an empty text.',
		);
	}
	if (isTemplate(raw)) {
		throw new FieldError(
			displayName,
			'the expression gives only white space. Check the names in it; to leave the field empty on purpose, use a single {{ }} that gives an empty text, with nothing beside it.',
		);
	}
}
