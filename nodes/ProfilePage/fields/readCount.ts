import type { INodeProperties } from 'n8n-workflow';

import { FieldError } from '../errors';

/** A field that holds a whole number, within the bounds that the editor shows too. */
export interface CountField extends INodeProperties {
	type: 'number';
	default: number;
	typeOptions: { minValue: number; maxValue?: number };
}

export function countField(field: Omit<CountField, 'type'>): CountField {
	return { ...field, type: 'number' };
}

/**
 * Reads a field that should hold a whole number.
 *
 * @param value what the editor or an expression put there
 * @throws FieldError if it is not a whole number within the bounds of the field
 */
export function readCount(value: unknown, { displayName, typeOptions }: CountField): number {
	const { minValue, maxValue } = typeOptions;
	const count = toNumber(value);
	const isWithin = count >= minValue && count <= (maxValue ?? Number.MAX_SAFE_INTEGER);
	if (Number.isInteger(count) && isWithin) return count;
	const bounds =
		maxValue === undefined ? `at least ${minValue}` : `from ${minValue} to ${maxValue}`;
	throw new FieldError(displayName, `it must be a whole number, ${bounds}.`);
}

/** An expression may give a number as a text. */
function toNumber(value: unknown): number {
	if (typeof value === 'number') return value;
	return typeof value === 'string' && value.trim() ? Number(value) : Number.NaN;
}
