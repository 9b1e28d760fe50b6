import { BadRequest } from './errors';

/** The fields of a form; none if the body is not a form. A field that came twice is an array. */
export function fieldsOf(body: unknown): Record<string, unknown> {
	return (typeof body === 'object' ? (body ?? {}) : {}) as Record<string, unknown>;
}

/**
 * The fields of the form that a request must bring.
 *
 * @throws BadRequest if the body is not a form
 */
export function readForm(body: unknown): Record<string, unknown> {
	if (typeof body === 'object' && body !== null) return fieldsOf(body);
	throw new BadRequest('Send a form: application/x-www-form-urlencoded.');
}

/**
 * Reads the text of a field, whose name it may tell.
 *
 * @throws BadRequest if the text is not what the field takes
 */
type Read<Value> = (text: string, name: string) => Value;

/**
 * Reads a field; undefined if it was not sent.
 *
 * @throws BadRequest if it was sent more than once, or can't be read
 */
export function optional<Value>(
	form: Record<string, unknown>,
	name: string,
	read: Read<Value>,
): Value | undefined {
	const text = form[name];
	if (text === undefined) return undefined;
	if (typeof text !== 'string') throw new BadRequest(`${name} is given more than once.`);
	return read(text, name);
}

/**
 * Reads a field that must be sent.
 *
 * @throws BadRequest if it is missing or empty, or can't be read
 */
export function required<Value>(
	form: Record<string, unknown>,
	name: string,
	read: Read<Value>,
): Value {
	const value = form[name] === '' ? undefined : optional(form, name, read);
	if (value === undefined) throw new BadRequest(`${name} is missing.`);
	return value;
}

/** Takes any text. */
export function readText(text: string): string {
	return text;
}

/** Reads an ID that is a number. */
export function readId(text: string, name: string): number {
	const id = Number(text);
	if (/^\d+$/.test(text) && Number.isSafeInteger(id)) return id;
	throw new BadRequest(`${name} must be a whole number.`);
}

/** Reads an address of the web. */
export function readUrl(text: string, name: string): string {
	if (/^https?:\/\/\S+$/i.test(text) && isAddress(text)) return text;
	throw new BadRequest(`${name} must be an http or https address.`);
}

/** `URL.canParse` of Node.js 20 and 22 is wrong about letters such as "ü" once it was called often. */
function isAddress(text: string): boolean {
	try {
		return Boolean(new URL(text));
	} catch {
		return false;
	}
}

/** Reads a time to the second with its offset (RFC 3339). */
export function readTime(text: string, name: string): string {
	const hasForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/.test(text);
	if (hasForm && isReal(text)) return text;
	throw new BadRequest(`${name} must be a time such as 2030-01-31T18:00:00+01:00.`);
}

/** Whether there is such a time; JavaScript alone takes February 30 for March 2. */
function isReal(time: string): boolean {
	const local = `${time.slice(0, 19)}.000Z`;
	return !Number.isNaN(Date.parse(time)) && new Date(local).toISOString() === local;
}
