import { parse } from 'node:querystring';

import type { FastifyRequest } from 'fastify';
import { DateTime } from 'luxon';

import { BadRequest } from './errors';

/** The fields of a form or a query. A repeated field is an array. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns the fields of a form; none for a body of any other type. */
export function formOf({ headers, body }: FastifyRequest): Fields {
	const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '');
	return isForm && typeof body === 'string' ? { ...parse(body) } : {};
}

export function queryOf({ query }: FastifyRequest): Fields {
	return query as Fields;
}

/** Parses a field; throws a BadRequest with its name if the text is invalid. */
type Read<Value> = (text: string, name: string) => Value;

/**
 * Returns undefined if the field is absent.
 *
 * @throws BadRequest if it is repeated or invalid
 */
export function optional<Value>(form: Fields, name: string, read: Read<Value>): Value | undefined {
	const text = form[name];
	if (text === undefined) return undefined;
	if (typeof text !== 'string') throw new BadRequest(`${name} is given more than once.`);
	return read(text, name);
}

/** @throws BadRequest if the field is missing, empty, repeated or invalid */
export function required<Value>(form: Fields, name: string, read: Read<Value>): Value {
	const value = form[name] === '' ? undefined : optional(form, name, read);
	if (value === undefined) throw new BadRequest(`${name} is missing.`);
	return value;
}

export function readText(text: string): string {
	return text;
}

export function readWholeNumber(text: string, name: string): number {
	const number = Number(text);
	if (/^\d+$/.test(text) && Number.isSafeInteger(number)) return number;
	throw new BadRequest(`${name} must be a whole number.`);
}

export function readUrl(text: string, name: string): string {
	if (/^https?:\/\/\S+$/i.test(text)) return text;
	throw new BadRequest(`${name} must be an http or https address.`);
}

/** Reads an RFC 3339 date and time with whole seconds and a numeric offset. */
export function readTime(text: string, name: string): string {
	const hasForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/.test(text);
	// Not `Date.parse`, which accepts February 30 as March 2.
	if (hasForm && DateTime.fromISO(text).isValid) return text;
	throw new BadRequest(`${name} must be a time such as 2030-01-31T18:00:00+01:00.`);
}
