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
